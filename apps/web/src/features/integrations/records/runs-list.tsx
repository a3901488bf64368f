import { useInfiniteQuery } from '@tanstack/react-query';
import { orpc } from '../../../shared/api.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { problemText, type IntegrationRun } from '../integrations-queries.ts';
import { PagedRecords, pagesOf } from './paged-records.tsx';
import { RunCounts } from '../run-counts.tsx';

const tones: Record<IntegrationRun['status'], BadgeTone> = {
  ...{ running: 'info', waiting: 'warning', done: 'success', failed: 'danger', cancelled: 'neutral' },
};

/** Syncs of a connection, the newest first. */
export function RunsList({ kind }: { kind: string }) {
  const query = useInfiniteQuery(orpc.integrations.listRuns.infiniteOptions(pagesOf(kind, 10)));
  return (
    <PagedRecords
      query={query}
      className="grid gap-2"
      empty={<p className="text-muted">{t('integrations.neverSynced')}</p>}
    >
      {(runs) => (
        <ul className="grid divide-y divide-border" aria-label={t('integrations.tab.history')}>
          {runs.map((run) => (
            <li key={run.id} className="grid gap-1 py-3">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium tabular-nums">{formatDateTime(run.startedAt)}</span>
                <Badge tone={tones[run.status]}>{t(`integrations.run.${run.status}`)}</Badge>
                <span className="text-sm text-muted">
                  {[t(`integrations.trigger.${run.trigger}`), run.startedBy].filter(Boolean).join(' · ')}
                </span>
              </p>
              <RunCounts counts={run.counts} isPreview={run.trigger === 'preview'} />
              {run.problem ? (
                <p className="text-sm text-danger">{problemText(run.problem, run.problemDetail)}</p>
              ) : null}
              {run.resumesAt ? (
                <p className="text-sm text-muted">
                  {t('integrations.resumes', { time: formatDateTime(run.resumesAt) })}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </PagedRecords>
  );
}
