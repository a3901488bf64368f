import { newId } from '@app/database/new-id';
import { actorOf } from '@app/domain/auth/caller';
import { noCounts, type SyncTrigger } from '@app/domain/integrations/integration-rules';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findOpenRun, type IntegrationRow } from '../integration-rows.ts';
import { integrationSync } from './sync-job.ts';

/** Starts a run of a connection whose row is locked, and leaves its work to a job. Null while another one is under way. */
export async function startRun(
  scope: WorkspaceScope,
  { jobs }: Pick<ApiDependencies, 'jobs'>,
  { id: integrationId, kind }: Pick<IntegrationRow, 'id' | 'kind'>,
  trigger: SyncTrigger,
): Promise<string | null> {
  if (await findOpenRun(scope, integrationId)) return null;
  const id = newId();
  const now = scope.clock();
  const { caller } = scope;
  await scope.query(
    `INSERT INTO integration_runs (id, workspace_id, integration_id, trigger, status, phase, counts, started_by, started_at, touched_at)
     VALUES ($1, $2, $3, $4, 'running', 'retry', $5, $6, $7, $7)`,
    [
      ...[id, scope.workspaceId, integrationId, trigger, JSON.stringify(noCounts())],
      ...[caller.kind === 'person' || caller.kind === 'api-key' ? actorOf(caller).name : '', now],
    ],
  );
  await scope.query('UPDATE integrations SET next_run_at = NULL WHERE workspace_id = $1 AND id = $2', [
    ...[scope.workspaceId, integrationId],
  ]);
  await scope.emit({ type: 'integration.sync_started', subject: integrationId, values: { kind } });
  // A person waits for it, or it may bring an opt-out.
  const order = { isFirst: trigger !== 'schedule' };
  await jobs.enqueue(scope, integrationSync, integrationId, { integrationId }, order);
  return id;
}
