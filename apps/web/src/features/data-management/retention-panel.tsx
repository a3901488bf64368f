import { retention } from '@app/domain/data-management/retention';
import { useQuery } from '@tanstack/react-query';
import { FormState } from '../../shared/actions/form-state.tsx';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { retentionOptions } from './data-queries.ts';
import { RetentionForm } from './retention-form.tsx';

const kinds = Object.keys(retention) as (keyof typeof retention)[]; // these are its keys

/** How long the product keeps what: by what the workspace chose, and by the figures that it goes by itself. */
export function RetentionPanel() {
  const { data, error, refetch } = useQuery(retentionOptions());
  return (
    <Panel title={t('dataManagement.retention.title')} purpose={t('dataManagement.retention.hint')}>
      <div className="grid gap-4">
        {data ? <RetentionForm saved={data} /> : <FormState error={error} onRetry={() => void refetch()} />}
        <dl className="divide-y divide-border border-t border-border">
          {kinds.map((kind) => (
            <div key={kind} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <dt>{t(`dataManagement.retention.${kind}`)}</dt>
              <dd className="text-muted tabular-nums">{timeOf(retention[kind])}</dd>
            </div>
          ))}
        </dl>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-60 flex-1 text-muted">{t('dataManagement.retention.person')}</p>
          {can('contacts:read') ? (
            <ButtonLink to={paths.contacts}>{t('dataManagement.retention.toContacts')}</ButtonLink>
          ) : null}
        </div>
      </div>
    </Panel>
  );
}

function timeOf(kept: (typeof retention)[keyof typeof retention]): string {
  if ('last' in kept) return t('dataManagement.retention.last', { n: kept.last });
  return 'days' in kept
    ? t('dataManagement.retention.days', { n: kept.days })
    : t('dataManagement.retention.hours', { n: kept.hours });
}
