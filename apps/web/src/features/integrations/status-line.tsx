import { RefreshCw, Square } from 'lucide-react';
import { formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Integration } from './integrations-queries.ts';
import { useIntegrationActions } from './use-integration-actions.ts';

const tones: Record<Integration['status'], BadgeTone> = {
  ...{ connected: 'success', disconnected: 'neutral', error: 'danger', syncing: 'info' },
};

export function StatusBadge({ status }: Pick<Integration, 'status'>) {
  return (
    <Badge tone={tones[status]} dot={status === 'syncing'}>
      {t(`integrations.status.${status}`)}
    </Badge>
  );
}

/** When it was last in step, and how much was exchanged. */
export function figuresText(integration: Integration): string {
  const { lastSyncedAt, recordsSynced, errors, syncsContacts, hearsEvents, run, status } = integration;
  if (!syncsContacts && !hearsEvents) return '';
  const parts = [
    status === 'syncing' && run !== null
      ? t('integrations.progress', { n: run.counts.read ?? 0 })
      : lastSyncedAt
        ? t(syncsContacts ? 'integrations.lastSync' : 'integrations.lastSent', {
            time: formatRelativeTime(lastSyncedAt),
          })
        : t(syncsContacts ? 'integrations.neverSynced' : 'integrations.neverSent'),
    t(syncsContacts ? 'integrations.records' : 'integrations.sentEvents', { n: recordsSynced }),
    ...(errors > 0 ? [t('integrations.errorCount', { n: errors })] : []),
  ];
  return parts.join(' · ');
}

/** The state of a connection in its dialog, with the sync that can be started or stopped. */
export function StatusLine({ integration }: { integration: Integration }) {
  const { status, syncsContacts, isStarted } = integration;
  const { sync, cancel, isBusy } = useIntegrationActions(integration);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <StatusBadge status={status} />
      <p role="status" className="min-w-0 flex-1 basis-48 text-sm text-muted tabular-nums">
        {figuresText(integration)}
      </p>
      {can('settings:manage') && syncsContacts && isStarted && status === 'connected' ? (
        <Button size="small" icon={<RefreshCw aria-hidden />} disabled={isBusy} onClick={sync}>
          {t('integrations.sync')}
        </Button>
      ) : null}
      {can('settings:manage') && syncsContacts && status === 'syncing' ? (
        <Button size="small" icon={<Square aria-hidden />} disabled={isBusy} onClick={cancel}>
          {t('integrations.stop')}
        </Button>
      ) : null}
    </div>
  );
}
