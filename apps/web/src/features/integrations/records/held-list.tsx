import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { EmptyState } from '../../../ui/states.tsx';
import type { Integration } from '../integrations-queries.ts';
import { PagedRecords, pagesOf } from './paged-records.tsx';
import { WhoIsIt } from './who-is-it.tsx';

/** Records that wait for room in the plan, in the order in which they come in. */
export function HeldList({ integration: { kind } }: { integration: Pick<Integration, 'kind'> }) {
  const query = useInfiniteQuery(orpc.integrations.listHeld.infiniteOptions(pagesOf(kind, 25)));
  return (
    <PagedRecords
      query={query}
      className="grid gap-3"
      empty={<EmptyState icon={<CircleCheck aria-hidden />} title={t('integrations.noHeld')} />}
    >
      {(records) => (
        <>
          <p className="text-sm text-pretty text-muted">{t('integrations.heldWhy')}</p>
          <ul className="grid divide-y divide-border" aria-label={t('integrations.tab.held')}>
            {records.map((record) => (
              <li key={record.id} className="py-3">
                <WhoIsIt record={record} />
                <p className="text-sm text-muted tabular-nums">{`ID ${record.externalId}`}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </PagedRecords>
  );
}
