import { addInputs } from '@app/flows/flow-inputs';
import { addStarts } from '@app/flows/flow-starts';
import { runClasses } from '@app/flows/flow-host';
import { newId } from '@app/database/new-id';
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

/** Enters contacts by hand; re-entry counts for them as for others. */
export async function enrolContacts(
  scope: WorkspaceScope,
  { workflowId, contactIds }: { workflowId: string; contactIds: readonly string[] },
): Promise<{ enrolled: number } | 'workflow_not_found' | 'workflow_not_active' | 'contact_not_found'> {
  const { rows } = await scope.query<{ status: string; published: number | null }>(
    `SELECT status, published FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'workflow' FOR SHARE`,
    [scope.workspaceId, workflowId],
  );
  const [flow] = rows;
  if (!flow) return 'workflow_not_found';
  if (flow.status !== 'active' || flow.published === null) return 'workflow_not_active';
  const version = flow.published;
  const ids = [...new Set(contactIds)];
  const { rowCount } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  if (rowCount !== ids.length) return 'contact_not_found';
  const source = `enrolment/${newId()}`;
  const enrolled = await addStarts(
    scope,
    ids.map((contactId) => ({
      ...{ flowId: workflowId, version, triggerId: null, contactId, channelId: null, source, values: {} },
      ...{ class: ids.length > 1 ? runClasses.bulk : runClasses.event, depth: 0, at: scope.clock() },
    })),
  );
  return { enrolled };
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
