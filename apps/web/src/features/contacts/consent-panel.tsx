import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatSaid } from '../../shared/contacts/consent-time.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import type { Contact } from '../../shared/contacts/contacts-queries.ts';

const SOURCES = {
  person: 'contacts.consent.byPerson',
  staff: 'contacts.consent.byStaff',
  form: 'contacts.consent.byForm',
  bot: 'contacts.consent.byBot',
  integration: 'contacts.consent.byIntegration',
} as const;

/** Every opt-in and opt-out with its time, source and text; the newest one holds. */
export function ConsentPanel({ contact }: { contact: Contact }) {
  const consents = useQuery(orpc.contacts.listConsents.queryOptions({ input: { contactId: contact.id } }));
  const items = consents.data?.items ?? [];
  return (
    <Panel
      title={t('contacts.consent.title')}
      purpose={contact.optedOutAt ? t('contacts.consent.isOut') : t('contacts.consent.isIn')}
    >
      {consents.isPending ? <Skeleton className="h-12" /> : null}
      {consents.isError ? (
        <ErrorState
          text={errorMessage(consents.error)}
          onRetry={() => void consents.refetch()}
          className="py-4"
        />
      ) : null}
      {consents.isSuccess && items.length === 0 ? (
        <p className="text-muted">{t('contacts.consent.none')}</p>
      ) : null}
      <ol className="grid gap-3">
        {items.map((consent) => (
          <li key={consent.id} className="grid gap-0.5">
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={consent.kind === 'opt_in' ? 'success' : 'warning'}>
                {t(`contacts.consent.${consent.kind}`)}
              </Badge>
              <span className="text-sm text-muted">{formatSaid(consent.occurredAt)}</span>
            </span>
            {consent.text ? <span className="wrap-anywhere">{consent.text}</span> : null}
            <span className="text-sm text-muted">
              {t(SOURCES[consent.source], { name: consent.recordedBy ?? '' })}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
