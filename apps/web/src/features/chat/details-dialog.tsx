import { Suspense } from 'react';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { lazyDetail } from '../../ui/load-file.ts';
import { Skeleton } from '../../ui/states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { formatDateTime } from '../../shared/formats.ts';
import { authorName } from '../../shared/conversations/message-author.ts';
import { problemText, Steps } from './message-status.tsx';
import type { Message } from './timeline-window.ts';

const MessageOrigin = lazyDetail(
  async () => (await import('../../shared/automation/message-origin.tsx')).MessageOrigin,
);

/** What is known of a message beside what it says. */
export function DetailsDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const problem = problemText(message);
  const author = authorName(message);
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={t('chat.details')}
      size="small"
    >
      <div className="grid gap-3">
        {author === '' ? null : (
          <p>
            <span className="block text-sm text-muted">{t('chat.writtenBy')}</span>
            <bdi>{author}</bdi>
          </p>
        )}
        {message.author.kind === 'automation' && can('campaigns:read') && can('contacts:read') ? (
          <Suspense fallback={<Skeleton className="h-12" />}>
            <MessageOrigin messageId={message.id} />
          </Suspense>
        ) : null}
        <Steps message={message} />
        {message.changedAt === null ? null : (
          <p className="text-sm text-muted">
            {t(message.isRevoked ? 'chat.deletedAt' : 'chat.editedAt', {
              time: formatDateTime(message.changedAt),
            })}
          </p>
        )}
        {message.reactions.length === 0 ? null : (
          <ul>
            {message.reactions.map(({ emoji, direction, name, at }) => (
              <li key={direction} className="flex gap-2">
                <span>{emoji}</span>
                <bdi className="flex-1">
                  {direction === 'in' ? t('chat.contact') : (name ?? t('chat.us'))}
                </bdi>
                <span className="text-sm text-muted">{formatDateTime(at)}</span>
              </li>
            ))}
          </ul>
        )}
        {problem === null ? null : <p className="text-danger">{problem}</p>}
      </div>
    </Dialog>
  );
}
