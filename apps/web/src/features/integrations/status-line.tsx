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

/** What the sync under way has read, or when the last one was; how much belongs together by now; and what a person has to look at. */
export function figuresText(integration: Integration): string {
  const { lastSyncedAt, recordsSynced, recordsLinked, errors, syncsContacts, hearsEvents } = integration;
  if (!syncsContacts && !hearsEvents) return '';
  const parts = [
    progressText(integration) ??
      (lastSyncedAt
        ? t(syncsContacts ? 'integrations.lastSync' : 'integrations.lastSent', {
            time: formatRelativeTime(lastSyncedAt),
          })
        : t(syncsContacts ? 'integrations.neverSynced' : 'integrations.neverSent')),
    syncsContacts
      ? t('integrations.records', { n: recordsLinked })
      : t('integrations.sentEvents', { n: recordsSynced }),
    ...(errors > 0 ? [t('integrations.errorCount', { n: errors })] : []),
  ];
  return parts.join(' · ');
}

/** Null while no run is under way. What a first sync works on was read by its preview. */
function progressText({ status, run }: Integration): string | null {
  if (status !== 'syncing' || run === null) return null;
  const { counts } = run;
  if (run.trigger === 'preview') return t('integrations.previewProgress', { n: counts.read });
  const done = processed.reduce((sum, name) => sum + counts[name], 0);
  return done > 0
    ? t('integrations.syncDone', { n: done })
    : t('integrations.syncProgress', { n: counts.read });
}

const processed = [
  ...(['created', 'updated', 'linked', 'unchanged', 'removed', 'skipped', 'failed'] as const),
  ...(['filtered', 'held'] as const),
];

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
