import { personOf } from '@app/domain/auth/caller';
import type { FlowProblem } from '@app/domain/flows/check-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { addInputs } from '@app/flows/flow-inputs';
import { withdrawMessages } from '../conversations/sending/withdraw-queued.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { checkFlow } from './check-references.ts';

/** Old versions stay as long as runs are on them, and the last so many. */
const VERSIONS_KEPT = 5;

/** Makes a flow of a bot, or replaces it, and publishes it. What keeps it from being published changes nothing. */
export async function publishBotFlow(
  scope: WorkspaceScope,
  { flowId, flow, isActive }: { flowId: string; flow: FlowFile; isActive?: boolean },
): Promise<FlowProblem[]> {
  const problems = await checkFlow(scope, flow);
  if (problems.length > 0) return problems;
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ number: number }>(
    `INSERT INTO flows AS f (id, workspace_id, kind, name, description, draft, published, published_draft, published_at, status, owner_id, created_at, updated_at)
     VALUES ($1, $2, 'bot', $3, $4, $5, 1, 1, $6, CASE WHEN $7 THEN 'active' ELSE 'paused' END, $8, $6, $6)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description, draft = excluded.draft,
       published = f.published + 1, version = f.version + 1, published_draft = f.version + 1, published_at = excluded.published_at,
       updated_at = excluded.updated_at, status = CASE WHEN $9 THEN excluded.status ELSE f.status END
     WHERE f.workspace_id = $2 AND f.kind = 'bot'
     RETURNING published AS number`,
    [
      ...[flowId, workspaceId, flow.name, flow.description, JSON.stringify(flow), scope.clock()],
      ...[isActive ?? false, personOf(scope.caller), isActive !== undefined],
    ],
  );
  const number = rows[0]!.number; // its id is new, or that of a bot of this workspace
  await scope.query(
    `INSERT INTO flow_versions (workspace_id, flow_id, number, content, published_at, published_by, published_by_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[workspaceId, flowId, number, JSON.stringify(flow), scope.clock(), personOf(scope.caller)],
      'name' in scope.caller ? scope.caller.name : scope.caller.part,
    ],
  );
  await scope.query(
    `DELETE FROM flow_versions v WHERE v.workspace_id = $1 AND v.flow_id = $2 AND v.number <= $3
        AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.flow_id = v.flow_id AND r.version = v.number)`,
    [workspaceId, flowId, number - VERSIONS_KEPT],
  );
  return [];
}

export async function setBotFlowActive(
  scope: WorkspaceScope,
  { flowId, isActive }: { flowId: string; isActive: boolean },
): Promise<void> {
  await scope.query(
    `UPDATE flows SET status = CASE WHEN $3 THEN 'active' ELSE 'paused' END, paused_for = NULL, paused_by_run = NULL, updated_at = $4
      WHERE workspace_id = $1 AND id = $2 AND kind = 'bot'`,
    [scope.workspaceId, flowId, isActive, scope.clock()],
  );
}

/** With its versions, starts and runs; what a run has queued and has not left is withdrawn. */
export async function deleteBotFlow(scope: WorkspaceScope, flowId: string): Promise<void> {
  const of = [scope.workspaceId, flowId];
  await withdrawMessages(scope, { source: `flow/${flowId}` });
  await scope.query('DELETE FROM flow_log WHERE workspace_id = $1 AND flow_id = $2', of);
  await scope.query(`DELETE FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'bot'`, of);
}

/** What the bot is about to say to a contact is not said any more: starts that wait, runs in progress, and messages that have not left. */
export async function stopBotRuns(
  scope: WorkspaceScope,
  { contactId, channelId, code }: { contactId: string; channelId: string; code: string },
): Promise<void> {
  const of = [scope.workspaceId, contactId, channelId];
  await scope.query(
    `UPDATE flow_starts s SET state = 'refused', reason = $4, settled_at = $5 FROM flows f
      WHERE s.workspace_id = $1 AND s.contact_id = $2 AND s.channel_id = $3 AND s.state = 'open' AND f.id = s.flow_id AND f.kind = 'bot'`,
    [...of, code, scope.clock()],
  );
  const { rows } = await scope.query<{ id: string; flow_id: string }>(
    `SELECT r.id, r.flow_id FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot'
      WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.channel_id = $3 AND r.status = 'running' ORDER BY r.id`,
    of,
  );
  for (const { id, flow_id: flowId } of rows)
    await withdrawMessages(scope, { source: `flow/${flowId}/${id}` });
  await addInputs(
    scope,
    rows.map(({ id }) => ({ runId: id, source: `stop/${code}`, input: { kind: 'cancel', code } })),
    scope.clock(),
  );
}
