import { formatPhone } from '@app/domain/contacts/format-phone';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { PersonBubble } from '../sending/message/message-phone.tsx';
import { useRecipients, type Previewed } from '../sending/message/recipient-queries.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';

const SHOWN = 3;

/** The message as the first three contacts will read it, and how many more there are: the same people as beside it, who were read for that already. */
export function PreviewDialog({ chosen, onClose }: { chosen: Previewed; onClose: () => void }) {
  const { query, people, total } = useRecipients(chosen);
  const first = people.slice(0, SHOWN);
  const rest = total - first.length;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('bulkMessage.previewTitle')}
      description={t('bulkMessage.previewText')}
    >
      {query.isError && first.length === 0 ? (
        <ErrorState text={errorMessage(query.error)} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <SkeletonRegion>
          <Skeleton className="h-24 w-full" />
          <Skeleton className="mt-3 h-24 w-full" />
        </SkeletonRegion>
      ) : first.length === 0 ? (
        <EmptyState title={t('bulkMessage.previewNobody')} />
      ) : (
        <>
          <ul className="flex flex-col gap-4">
            {first.map((person) => (
              <li key={person.contactId} className="overflow-hidden rounded-card border border-border">
                <p className="flex items-center gap-2.5 border-b border-border px-3 py-2">
                  <Avatar name={person.name} size="small" />
                  <span className="min-w-0 flex-1 truncate font-medium">{person.name}</span>
                  <span className="text-sm text-muted tabular-nums">
                    {person.phone && formatPhone(person.phone)}
                  </span>
                </p>
                <div className="bg-chat p-3">
                  <PersonBubble message={chosen.message} person={person} />
                </div>
              </li>
            ))}
          </ul>
          {rest > 0 ? (
            <p className="mt-4 text-center text-muted">{t('bulkMessage.previewMore', { n: rest })}</p>
          ) : null}
        </>
      )}
    </Dialog>
  );
}
