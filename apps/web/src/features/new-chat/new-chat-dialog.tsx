import { t } from '../../shared/messages.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** Begins a conversation with any contact. */
export function NewChatDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={t('inbox.newChat')}>
      {null}
    </Dialog>
  );
}
