import { formatPhone } from '@app/domain/contacts/format-phone';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, X } from 'lucide-react';
import { Suspense } from 'react';
import { contactKeys } from '../../shared/contacts/contact-keys.ts';
import { contactOptions } from '../../shared/contacts/contacts-queries.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';

const KnownContact = lazyPart(async () => (await import('./known-contact.tsx')).KnownContact);

/** The person one talks with, beside the chat. */
export function ContactPanel({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { contact: known } = conversation;
  const found = useQuery(contactOptions(known.id));
  const hasWords = [useMessages('contacts'), useMessages('activity-facts')].every(Boolean);
  useLiveQuery(['contacts', 'messages'], contactKeys(), {
    concerns: ({ contactId }) => contactId === undefined || contactId === known.id,
  });
  const name = found.data?.name ?? known.name;
  return (
    <div className="flex flex-col gap-5 p-4">
      <header className="flex items-start gap-3">
        <Avatar name={name} size="large" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          <p className="text-sm text-muted tabular-nums">
            {formatPhone(found.data?.phone ?? known.phone ?? '')}
          </p>
          <ButtonLink
            to={paths.contact(known.id)}
            variant="ghost"
            size="small"
            className="-ml-2.5"
            icon={<ExternalLink aria-hidden />}
          >
            {t('contactPanel.open')}
          </ButtonLink>
        </div>
        <IconButton label={t('inbox.closePanel')} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      {found.isError && !found.data ? (
        <ErrorState text={errorMessage(found.error)} onRetry={() => void found.refetch()} />
      ) : found.data && hasWords ? (
        <Suspense fallback={<Lines />}>
          <KnownContact contact={found.data} conversation={conversation} />
        </Suspense>
      ) : (
        <Lines />
      )}
    </div>
  );
}

function Lines() {
  return (
    <SkeletonRegion className="grid gap-4">
      {[1, 2, 3, 4].map((line) => (
        <Skeleton key={line} className="h-9" />
      ))}
    </SkeletonRegion>
  );
}
