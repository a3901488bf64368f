import { needsPerson, type ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { integrationLimits, nextRunAt } from '@app/domain/integrations/integration-rules';
import { wordsOf } from '../platform/connectors/words-of.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findIntegrationById } from './integration-rows.ts';

/**
 * A problem of the connection: at once where only a person can mend it, otherwise after several failures in a row. The fact that notifies people is
 * emitted once, when the connection begins to show an error. A connection that was disconnected meanwhile stays so.
 */
export async function noteTrouble(
  scope: WorkspaceScope,
  id: string,
  { problem, detail, isOver = false }: { problem: ConnectorProblem; detail: string | null; isOver?: boolean },
): Promise<void> {
  const row = await findIntegrationById(scope, id, 'FOR NO KEY UPDATE');
  if (!row || row.status === 'disconnected' || row.problem === 'restored') return;
  const { kind, status, frequency } = row;
  // One that only hears of events has no syncs.
  const syncs = row.is_started && row.mapping.length > 0;
  const failures = row.failures + 1;
  const isError = isOver || needsPerson.includes(problem) || failures >= integrationLimits.failures;
  await scope.query(
    `UPDATE integrations SET status = $3, problem = $4, problem_detail = $5, failures = $6, checked_at = $7,
            next_run_at = $8::timestamptz
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[
        scope.workspaceId,
        id,
        isError ? 'error' : status,
        problem,
        wordsOf(detail),
        failures,
        scope.clock(),
      ],
      // An error is looked at each hour: it may have been mended at the service.
      syncs ? nextRunAt(isError ? 'hourly' : frequency, scope.clock(), isError ? 0 : failures) : null,
    ],
  );
  if (isError && status !== 'error')
    await scope.emit({ type: 'integration.failed', subject: id, values: { kind, problem } });
}

/** The connection works: its problem is over. Emits that once, where it showed an error. */
export async function noteRecovery(scope: WorkspaceScope, id: string): Promise<void> {
  const row = await findIntegrationById(scope, id, 'FOR NO KEY UPDATE');
  if (!row || row.status === 'disconnected' || row.problem === 'restored') return;
  await scope.query(
    `UPDATE integrations SET status = 'connected', problem = NULL, problem_detail = NULL, failures = 0, checked_at = $3
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, scope.clock()],
  );
  if (row.status === 'error')
    await scope.emit({ type: 'integration.recovered', subject: id, values: { kind: row.kind } });
}
