import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import { nextRunAt, type RunStatus, type SyncTrigger } from '@app/domain/integrations/integration-rules';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findIntegration, type IntegrationRow } from './integration-rows.ts';
import type { Integration } from './integrations-queries.ts';
import { startRun } from './sync/start-run.ts';
import { cancelRun } from './sync/sync-runs.ts';

type Refusal = 'integration_not_connected' | 'integration_syncing' | 'integration_preview_missing';

/** Starts a run that a person asked for. */
export async function beginRun(
  scope: WorkspaceScope,
  parts: Pick<ApiDependencies, 'jobs'>,
  kind: ConnectorKind,
  trigger: SyncTrigger,
): Promise<Refusal | null> {
  const row = await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE');
  if (!row || row.status === 'disconnected' || row.problem === 'restored' || !kind.contacts)
    return 'integration_not_connected';
  if (trigger !== 'preview' && !row.is_started) {
    // An older one was of another mapping, or of before a disconnect.
    const { rows } = await scope.query<{ status: RunStatus }>(
      `SELECT status FROM integration_runs WHERE workspace_id = $1 AND integration_id = $2 AND trigger = 'preview' ORDER BY started_at DESC, id DESC LIMIT 1`,
      [scope.workspaceId, row.id],
    );
    if (rows[0]?.status === 'running' || rows[0]?.status === 'waiting') return 'integration_syncing';
    if (rows[0]?.status !== 'done') return 'integration_preview_missing';
    await scope.query('UPDATE integrations SET is_started = true WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, row.id],
    ]);
  }
  return (await startRun(scope, parts, row, trigger)) ? null : 'integration_syncing';
}

/** With another mapping or filter every record is read and compared anew. */
export async function changeIntegration(
  scope: WorkspaceScope,
  parts: Pick<ApiDependencies, 'jobs'>,
  row: IntegrationRow,
  wanted: Pick<Integration, 'frequency' | 'mapping' | 'createsThere' | 'createsTag'> & {
    takesOptIns?: boolean | undefined;
    filter?: Integration['filter'] | undefined;
  },
): Promise<void> {
  const filter = wanted.filter ?? row.filter;
  const isMapped = describeRules(row.mapping, row.filter) !== describeRules(wanted.mapping, filter);
  // Opt-ins that were given before are looked at, too.
  const readsAll = isMapped || (wanted.takesOptIns === true && !row.takes_opt_ins);
  const now = scope.clock();
  await scope.query(
    `UPDATE integrations SET frequency = $3, mapping = $4, creates_there = $5, creates_tag = $6, takes_opt_ins = coalesce($10, takes_opt_ins), filter = $11, version = version + 1, updated_at = $7,
            cursor = CASE WHEN $8 THEN NULL ELSE cursor END,
            next_run_at = CASE WHEN NOT is_started OR status = 'error' THEN next_run_at WHEN $8 THEN $7 ELSE $9::timestamptz END
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, row.id, wanted.frequency, JSON.stringify(wanted.mapping), wanted.createsThere],
      ...[wanted.createsTag || null, now, readsAll, nextRunAt(wanted.frequency, now)],
      ...[wanted.takesOptIns ?? null, JSON.stringify(filter)],
    ],
  );
  if (readsAll)
    await scope.query(
      `UPDATE integration_records SET remote_updated_at = NULL, contact_version = NULL WHERE workspace_id = $1 AND integration_id = $2`,
      [scope.workspaceId, row.id],
    );
  await scope.emit({ type: 'integration.updated', subject: row.id, values: { kind: row.kind } });
  // What the preview counted, or is about to, is of before.
  if (isMapped && !row.is_started && row.status === 'connected') {
    await cancelRun(scope, row.id);
    await startRun(scope, parts, row, 'preview');
  }
}

/** The same for what a row and a request say alike, whose objects have their keys in another order. */
function describeRules(mapping: IntegrationRow['mapping'], filter: IntegrationRow['filter']): string {
  return JSON.stringify([
    mapping.map(({ ours, theirs, direction, wins }) => [ours, theirs, direction, wins]),
    filter.map(({ field, operator, values }) => [field, operator, values]),
  ]);
}
