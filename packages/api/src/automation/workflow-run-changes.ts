import { addInputs } from '@app/flows/flow-inputs';
import type { RunInput } from '@app/domain/flows/run-state';
import { withdrawMessages } from '../conversations/sending/withdraw-queued.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

type NotFound = 'workflow_run_not_found';

/** The engine ends the run at once; what it has queued and has not left is withdrawn here. A run that has ended stays as it is. */
export async function cancelRun(scope: WorkspaceScope, runId: string): Promise<NotFound | null> {
  const flowId = await findFlowOf(scope, runId);
  if (flowId === null) return 'workflow_run_not_found';
  await withdrawMessages(scope, { source: `flow/${flowId}/${runId}` });
  await addRunInput(scope, runId, 'cancel', { kind: 'cancel', code: 'by_person' });
  return null;
}

/** Ends the wait that the caller saw, by its visit; one that is over meanwhile is not the next one. */
export async function skipWait(
  scope: WorkspaceScope,
  { runId, visit }: { runId: string; visit: number },
): Promise<NotFound | null> {
  if ((await findFlowOf(scope, runId)) === null) return 'workflow_run_not_found';
  await addRunInput(scope, runId, `skip/${visit}`, { kind: 'skip', visit });
  return null;
}

async function addRunInput(
  scope: WorkspaceScope,
  runId: string,
  source: string,
  input: RunInput,
): Promise<void> {
  await addInputs(scope, [{ runId, source, input }], scope.clock());
}

async function findFlowOf(scope: WorkspaceScope, runId: string): Promise<string | null> {
  const { rows } = await scope.query<{ flow_id: string }>(
    `SELECT r.flow_id FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow' WHERE r.workspace_id = $1 AND r.id = $2`,
    [scope.workspaceId, runId],
  );
  return rows[0]?.flow_id ?? null;
}
