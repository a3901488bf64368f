import { formatPhone } from '@app/domain/contacts/format-phone';
import { useQuery } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import { useTemplate } from '../sending/message/template-queries.ts';
import { templateToPhone } from '../sending/message/template-preview.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ChatBubble } from '../../ui/phone/phone-preview.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';

const SHOWN = 3;

/** The message as the first three contacts will read it, and how many more there are. */
export function PreviewDialog({
  input,
  onClose,
}: {
  input: Parameters<typeof api.bulkMessage.preview>[0];
  onClose: () => void;
}) {
  const query = useQuery(orpc.bulkMessage.preview.queryOptions({ input }));
  const preview = query.data;
  const first = preview?.messages.slice(0, SHOWN) ?? [];
  const rest = (preview?.total ?? 0) - first.length;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('bulkMessage.previewTitle')}
      description={t('bulkMessage.previewText')}
    >
      {query.isError ? (
        <ErrorState text={failureText(query.error)} onRetry={() => void query.refetch()} />
      ) : !preview ? (
        <SkeletonRegion>
          <Skeleton className="h-24 w-full" />
          <Skeleton className="mt-3 h-24 w-full" />
        </SkeletonRegion>
      ) : first.length === 0 ? (
        <EmptyState title={t('bulkMessage.previewNobody')} />
      ) : (
        <>
          <ul className="flex flex-col gap-4">
            {first.map(({ contactId, name, phone, ...message }) => (
              <li key={contactId} className="overflow-hidden rounded-card border border-border">
                <p className="flex items-center gap-2.5 border-b border-border px-3 py-2">
                  <Avatar name={name} size="small" />
                  <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                  <span className="text-sm text-muted tabular-nums">{phone && formatPhone(phone)}</span>
                </p>
                <div className="bg-chat p-3">
                  <Bubble {...message} />
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

type Previewed = Awaited<ReturnType<typeof api.bulkMessage.preview>>['messages'][number];

/** Header, footer and buttons of the language that somebody gets, around the filled text. */
function Bubble({ templateId, values, text }: Pick<Previewed, 'templateId' | 'values' | 'text'>) {
  const { template } = useTemplate(templateId);
  return <ChatBubble message={{ ...templateToPhone(template?.components ?? [], values), body: text }} />;
}
