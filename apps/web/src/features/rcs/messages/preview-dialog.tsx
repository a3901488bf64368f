import { readRcsMessage } from '@app/domain/rcs/rcs-message';
import { t } from '../../../shared/messages.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { describeFault } from './fault-words.ts';
import { LoadedMessage } from './message-dialog.tsx';
import { Phones } from './phones.tsx';

/** How phones show a message; at most three cards of a carousel. */
export function PreviewDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  return (
    <LoadedMessage messageId={messageId} title={t('rcs.preview')} onClose={onClose}>
      {({ name, type, category, content: stored }) => {
        const { content, faults } = readRcsMessage(type, stored);
        return (
          <Dialog
            open
            onOpenChange={(open) => {
              if (!open) onClose();
            }}
            size="large"
            title={name}
            footer={<Button onClick={onClose}>{t('common.close')}</Button>}
          >
            <div className="flex flex-col gap-4">
              <div className="flex flex-wrap gap-1.5">
                <Badge>{t(`rcs.type.${type}`)}</Badge>
                <Badge>{t(`rcs.category.${category}`)}</Badge>
              </div>
              {faults[0] ? <Banner tone="warning">{describeFault(faults[0])}</Banner> : null}
              <Phones content={content} name={name} />
            </div>
          </Dialog>
        );
      }}
    </LoadedMessage>
  );
}
