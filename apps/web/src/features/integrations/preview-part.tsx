import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { problemText, type Integration } from './integrations-queries.ts';
import { RunCounts } from './run-counts.tsx';
import { useIntegrationActions } from './use-integration-actions.ts';

/** What the first sync would do, before a person starts it. */
export function PreviewPart({ integration }: { integration: Integration }) {
  const { run } = integration;
  const { sync, preview, isBusy } = useIntegrationActions(integration);
  const manages = can('settings:manage');
  const isReading = run !== null && run.endedAt === null;
  const isDone = run?.status === 'done';
  return (
    <Panel
      title={t('integrations.preview.title')}
      purpose={
        isReading
          ? t('integrations.progress', { n: run.counts.read ?? 0 })
          : t('integrations.preview.purpose')
      }
    >
      <div className="grid gap-3">
        {run?.problem ? (
          <p className="text-sm text-danger">{problemText(run.problem, run.problemDetail)}</p>
        ) : null}
        {isDone ? (
          <>
            <RunCounts counts={run.counts} isPreview />
            <ul className="grid divide-y divide-border" aria-label={t('integrations.preview.sample')}>
              {run.sample.map((one, place) => (
                <li
                  key={place}
                  className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 text-sm"
                >
                  <span className="min-w-0">
                    <span className="font-medium wrap-anywhere">{one.name || one.phone || '–'}</span>{' '}
                    <span dir="ltr" className="text-muted wrap-anywhere">
                      {[one.phone, one.email].filter(Boolean).join(' · ')}
                    </span>
                    {one.error ? (
                      <span className="block text-danger">
                        {t(`integrations.recordError.${one.error}`, { detail: one.phone ?? '' })}
                      </span>
                    ) : null}
                  </span>
                  <Badge tone={one.action === 'failed' ? 'danger' : 'neutral'}>
                    {t(`integrations.preview.${one.action}`)}
                  </Badge>
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {manages && !isReading ? (
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy} onClick={preview}>
              {t('integrations.preview.again')}
            </Button>
            {isDone ? (
              <Button variant="primary" loading={isBusy} onClick={sync}>
                {t('integrations.preview.start')}
              </Button>
            ) : null}
          </div>
        ) : null}
      </div>
    </Panel>
  );
}
