import { runCounts } from '@app/domain/integrations/integration-rules';
import { formatNumber } from '../../shared/formats.ts';
import { findText, t } from '../../shared/messages.ts';
import type { IntegrationRun } from './integrations-queries.ts';

/** What a run counted, without what it did not meet; of a preview, what it would do. */
export function RunCounts({
  counts,
  isPreview = false,
}: Pick<IntegrationRun, 'counts'> & { isPreview?: boolean }) {
  const shown = runCounts.filter((name) => (counts[name] ?? 0) > 0);
  if (shown.length === 0) return <p className="text-sm text-muted">{t('integrations.count.none')}</p>;
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm tabular-nums">
      {shown.map((name) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">
            {(isPreview && findText(`integrations.preview.${name}`)) || t(`integrations.count.${name}`)}
          </dt>
          <dd
            className={name === 'failed' || name === 'sendFailed' ? 'font-medium text-danger' : 'font-medium'}
          >
            {formatNumber(counts[name] ?? 0)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
