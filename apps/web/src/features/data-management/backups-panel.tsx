import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../shared/error-message.ts';
import { formatBytes, formatDateTime } from '../../shared/formats.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { backupsOptions } from './data-queries.ts';

/** What the product backs up by itself, as the operator has set it, and what came of it lately. */
export function BackupsPanel() {
  const { data, error, refetch } = useQuery(backupsOptions());
  if (!data)
    return error ? (
      <Panel title={t('dataManagement.backups.title')} purpose={t('dataManagement.backups.hint')}>
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      </Panel>
    ) : null;
  const { plan, items } = data;
  return (
    <Panel title={t('dataManagement.backups.title')} purpose={t('dataManagement.backups.hint')}>
      <div className="grid gap-3">
        <p className="text-muted">
          {plan
            ? t('dataManagement.backups.plan', {
                ...{
                  hours: plan.everyHours,
                  keep: plan.keep,
                  place: plan.place,
                },
                isEncrypted: String(plan.isEncrypted),
              })
            : t('dataManagement.backups.off')}
        </p>
        {plan && items.length === 0 ? <p>{t('dataManagement.backups.none')}</p> : null}
        {items.length > 0 ? (
          <ul className="divide-y divide-border rounded-card border border-border">
            {items.map(({ id, state, isRestored, bytes, error, startedAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <span className="min-w-40 flex-1 tabular-nums">
                  {formatDateTime(startedAt)}
                  {state === 'done' ? <span className="text-muted"> · {formatBytes(bytes)}</span> : null}
                  {error === null ? null : (
                    <span className="block text-sm text-muted">{errorWords(error)}</span>
                  )}
                </span>
                <Badge tone={state === 'done' && !isRestored ? 'neutral' : tones[state]}>
                  {t(
                    state === 'done' && !isRestored
                      ? 'dataManagement.backups.read'
                      : `dataManagement.backups.${state}`,
                  )}
                </Badge>
              </li>
            ))}
          </ul>
        ) : null}
        {items.some(({ state }) => state === 'done') ? (
          <p className="text-sm text-muted">{t('dataManagement.backups.proof')}</p>
        ) : null}
      </div>
    </Panel>
  );
}

const tones = { done: 'success', running: 'info', failed: 'danger' } as const;

function errorWords(error: string): string {
  const key = `dataManagement.backups.error.${error}`;
  const text = t(key as MessageKey); // one of them, or one of a newer server
  return text === key ? t('dataManagement.backups.error.failed') : text;
}
