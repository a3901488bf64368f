import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Banner } from '../../ui/states.tsx';

/** The secret of a new key, this once: a press beside the dialog does not lose it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      keepOpenOnOutsidePress
      title={t('apiKeys.secretTitle')}
      description={t('apiKeys.secretText')}
      footer={
        <>
          <CopyButton text={secret} label={t('apiKeys.secretCopy')} />
          <Button variant="primary" onClick={onClose}>
            {t('apiKeys.secretDone')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Banner tone="warning">{t('apiKeys.secretWarning')}</Banner>
        <code className="rounded-card bg-sunken px-3.5 py-2.5 wrap-anywhere select-all">{secret}</code>
      </div>
    </Dialog>
  );
}
