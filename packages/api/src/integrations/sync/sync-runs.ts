import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { nextRunAt, type RunCounts, type RunPhase } from '@app/domain/integrations/integration-rules';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { wordsOf } from '../../platform/connectors/words-of.ts';
import { noteRecovery, noteTrouble } from '../connection-state.ts';
import {
  findIntegrationById,
  type IntegrationRow,
  type RunRow,
  type SampleRow,
} from '../integration-rows.ts';

export type RunProgress = {
  phase: RunPhase;
  place: string | null;
  counts: RunCounts;
  sample?: readonly SampleRow[];
};

/** Stores how far a run is; in the transaction of the step, so that nothing is done twice or left out. */
export async function storeProgress(
  scope: WorkspaceScope,
  runId: string,
  { phase, place, counts, sample }: RunProgress,
): Promise<void> {
  await scope.query(
    `UPDATE integration_runs SET phase = $3, place = $4, counts = $5, sample = coalesce($6, sample), status = 'running', resume_at = NULL,
            troubled_at = NULL, problem = NULL, problem_detail = NULL, touched_at = $7
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, runId, phase, place, JSON.stringify(counts)],
      ...[sample ? JSON.stringify(sample) : null, scope.clock()],
    ],
  );
}

/**
 * Locks the connection and then its run, as everything does that changes both, so that no two wait for each other. False where the run is not there
 * any more, has ended, or is at another place than the work of this step began from.
 */
export async function lockRun(scope: ReadScope, run: RunRow): Promise<boolean> {
  await findIntegrationById(scope, run.integration_id, 'FOR NO KEY UPDATE');
  const { rowCount } = await scope.query(
    `SELECT FROM integration_runs WHERE workspace_id = $1 AND id = $2 AND ended_at IS NULL AND phase = $3 AND place IS NOT DISTINCT FROM $4
        FOR UPDATE`,
    [scope.workspaceId, run.id, run.phase, run.place],
  );
  return rowCount !== 0;
}

/** Ends a run that did all it had to. */
export async function finishRun(
  scope: WorkspaceScope,
  integration: IntegrationRow,
  run: RunRow,
  counts: RunCounts,
): Promise<void> {
  const now = scope.clock();
  const { workspaceId } = scope;
  await scope.query(
    `UPDATE integration_runs SET status = 'done', counts = $3, ended_at = $4, touched_at = $4, resume_at = NULL, problem = NULL, problem_detail = NULL
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, run.id, JSON.stringify(counts), now],
  );
  await noteRecovery(scope, integration.id);
  const isPreview = run.trigger === 'preview';
  const received = counts.created + counts.updated + counts.linked + counts.removed;
  const sent = counts.sent + counts.sentNew;
  // What came by a webhook meanwhile is next, and so is a run that was asked for since this one began.
  await scope.query(
    `UPDATE integrations SET last_synced_at = CASE WHEN $4 THEN last_synced_at ELSE $3 END,
            last_duration_ms = CASE WHEN $4 THEN last_duration_ms ELSE $5 END,
            records_synced = records_synced + $6,
            next_run_at = CASE WHEN NOT is_started THEN NULL
              WHEN EXISTS (SELECT FROM integration_records r WHERE r.workspace_id = $1 AND r.integration_id = $2 AND r.is_pending AND NOT r.is_held) THEN $3
              ELSE least(next_run_at, $7) END
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[workspaceId, integration.id, now, isPreview, Math.round(now.getTime() - run.started_at.getTime())],
      ...[isPreview ? 0 : received + sent, nextRunAt(integration.frequency, now)],
    ],
  );
  const failed = counts.failed + counts.sendFailed;
  await scope.emit({
    ...{ type: 'integration.synced', subject: integration.id },
    values: { kind: integration.kind, received, sent, failed },
  });
}

/** The service asked for a pause, or cannot be reached for a while: the run goes on where it is. One that was cancelled meanwhile stays so. */
export async function pauseRun(
  scope: WorkspaceScope,
  run: RunRow,
  { problem, detail, resumeAt }: { problem: ConnectorProblem; detail: string | null; resumeAt: Date },
): Promise<void> {
  if (!(await lockRun(scope, run))) return;
  await scope.query(
    `UPDATE integration_runs SET status = 'waiting', problem = $3, problem_detail = $4, resume_at = $5, touched_at = $6,
            troubled_at = coalesce(troubled_at, $6)
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, run.id, problem, wordsOf(detail), resumeAt, scope.clock()],
  );
  await scope.query(
    'UPDATE integrations SET problem = $3, problem_detail = $4 WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, run.integration_id, problem, wordsOf(detail)],
  );
}

/** Ends a run that cannot go on. What it has done stays; the next one begins where it was. `isOver`: the connection shows an error at once. */
export async function failRun(
  scope: WorkspaceScope,
  integration: IntegrationRow,
  run: RunRow,
  { problem, detail, isOver = false }: { problem: ConnectorProblem; detail: string | null; isOver?: boolean },
): Promise<void> {
  // Disconnected meanwhile: its run is cancelled.
  if (!(await lockRun(scope, run))) return;
  await scope.query(
    `UPDATE integration_runs SET status = 'failed', problem = $3, problem_detail = $4, ended_at = $5, touched_at = $5, resume_at = NULL
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, run.id, problem, wordsOf(detail), scope.clock()],
  );
  await noteTrouble(scope, integration.id, { problem, detail, isOver });
}

/** Ends the run under way, if there is one. */
export async function cancelRun(scope: WorkspaceScope, integrationId: string): Promise<void> {
  await scope.query(
    `UPDATE integration_runs SET status = 'cancelled', ended_at = $3, touched_at = $3, resume_at = NULL
      WHERE workspace_id = $1 AND integration_id = $2 AND ended_at IS NULL`,
    [scope.workspaceId, integrationId, scope.clock()],
  );
}
