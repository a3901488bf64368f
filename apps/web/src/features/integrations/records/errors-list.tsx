import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck, RotateCcw } from 'lucide-react';
import { orpc } from '../../../shared/api.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { FailedRecord, Integration } from '../integrations-queries.ts';
import { PagedRecords, pagesOf } from './paged-records.tsx';
import { useIntegrationActions } from '../use-integration-actions.ts';
import { WhoIsIt } from './who-is-it.tsx';

/** Records that could not be exchanged, each with the reason and what helps. */
export function ErrorsList({ integration }: { integration: Integration }) {
  const { kind, title, status, isStarted } = integration;
  const { retry, isBusy } = useIntegrationActions(integration);
  const query = useInfiniteQuery(orpc.integrations.listErrors.infiniteOptions(pagesOf(kind, 25)));
  return (
    <PagedRecords
      query={query}
      className="grid gap-3"
      empty={<EmptyState icon={<CircleCheck aria-hidden />} title={t('integrations.noErrors')} />}
    >
      {(records) => (
        <>
          {can('settings:manage') && isStarted ? (
            <div>
              <Button
                icon={<RotateCcw aria-hidden />}
                disabled={isBusy || status === 'syncing' || status === 'error'}
                onClick={retry}
              >
                {t('integrations.retryAll')}
              </Button>
            </div>
          ) : null}
          <ul className="grid divide-y divide-border" aria-label={t('integrations.tab.errors')}>
            {records.map((record) => (
              <li key={record.id} className="py-3">
                <WhoIsIt record={record} />
                <p className="text-sm text-danger">
                  {t(`integrations.recordError.${record.error}`, { detail: detailOf(record) })}
                </p>
                <p className="text-sm text-muted tabular-nums">
                  {[
                    record.side === 'in'
                      ? t('integrations.side.in', { name: title })
                      : t('integrations.side.out', { name: title }),
                    formatDateTime(record.at),
                    ...(record.externalId ? [`ID ${record.externalId}`] : []),
                  ].join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </PagedRecords>
  );
}

/** An ID says that it is one: behind the words about a number it would be read as that number. */
function detailOf({ error, detail }: FailedRecord): string {
  const isId = error === 'phone_shared' || error === 'contact_linked';
  return isId && detail ? `ID ${detail}` : (detail ?? '');
}
