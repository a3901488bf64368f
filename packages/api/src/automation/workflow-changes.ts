import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import { workflowLimits, type publishModes } from '@app/domain/automation/workflow-status';
import type { FlowProblem } from '@app/domain/flows/check-flow';
import { emptyFlow, flowLimits, type FlowFile } from '@app/domain/flows/flow-file';
import { continueHeldRuns } from '@app/flows/hold-restored';
import type { SecretBox } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { scheduleTriggers } from './engine/sweeps/due-triggers.ts';
import { sealHeaders } from './flow-secrets.ts';
import { takeAddresses } from './forms/form-addresses.ts';
import { asBotFlow } from './bot-flows.ts';
import { checkFlow } from './check-references.ts';
import { addMissingHooks } from './hooks/hooks-queries.ts';
import { requireFlowRight } from './require-flow-right.ts';
import { findFlowRow, type FlowRow } from './workflows-queries.ts';

export async function addWorkflow(
  scope: WorkspaceScope,
  secrets: SecretBox,
  flow: FlowFile,
): Promise<FlowRow | 'workflow_limit'> {
  const { rows } = await scope.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM flows WHERE workspace_id = $1',
    [scope.workspaceId],
  );
  if ((rows[0]?.n ?? 0) >= workflowLimits.workflows) return 'workflow_limit';
  const id = newId();
  const draft: FlowFile = { ...(await sealHeaders(scope, secrets, flow)), kind: 'workflow' };
  await scope.query(
    `INSERT INTO flows (id, workspace_id, kind, name, description, draft, owner_id, created_at, updated_at)
     VALUES ($1, $2, 'workflow', $3, $4, $5, $6, $7, $7)`,
    [
      ...[id, scope.workspaceId, draft.name, draft.description, JSON.stringify(draft)],
      ...[personOf(scope.caller), scope.clock()],
    ],
  );
  await scope.emit({ type: 'workflow.created', subject: id, values: { name: draft.name } });
  return (await findFlowRow(scope, id))!; // written above
}

/** @throws for callers who may change neither this workflow nor any */
export async function saveDraft(
  scope: WorkspaceScope,
  secrets: SecretBox,
  { workflowId, version, flow }: { workflowId: string; version: number; flow: FlowFile },
): Promise<FlowRow | 'workflow_not_found' | 'workflow_changed'> {
  const found = await findFlowRow(scope, workflowId, 'FOR UPDATE OF f', 'all');
  if (!found) return 'workflow_not_found';
  requireFlowRight(scope, 'update', found);
  if (found.version !== version) return 'workflow_changed';
  const sealed = await sealHeaders(scope, secrets, flow);
  const draft: FlowFile = found.kind === 'bot' ? asBotFlow(sealed) : { ...sealed, kind: 'workflow' };
  await scope.query(
    // A draft that is again what was published has nothing left to publish.
    `UPDATE flows f SET draft = $3, name = $4, description = $5, version = version + 1, updated_at = $6,
            published_draft = CASE WHEN EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = f.id AND v.number = f.published AND v.content = $3::jsonb)
                              THEN f.version + 1 ELSE f.published_draft END
      WHERE f.workspace_id = $1 AND f.id = $2`,
    [scope.workspaceId, workflowId, JSON.stringify(draft), draft.name, draft.description, scope.clock()],
  );
  await scope.emit({ type: 'workflow.draft_saved', subject: workflowId, values: { name: draft.name } });
  return findLocked(scope, workflowId);
}

export type PublishMode = (typeof publishModes)[number];

/** The next version, of the draft as it was seen. New runs get it from this transaction on. */
export async function publishDraft(
  scope: WorkspaceScope,
  { workflowId, version, runs }: { workflowId: string; version: number; runs: PublishMode },
): Promise<FlowRow | FlowProblem[] | 'workflow_not_found' | 'workflow_changed'> {
  const found = await lockWorkflow(scope, workflowId, version);
  if (typeof found === 'string') return found;
  // A second click: the same draft is no further version.
  const isBot = found.kind === 'bot';
  if ((isBot || found.status === 'active') && found.published_draft === found.version) return found;
  const problems = await checkFlow(scope, found.draft, found.content);
  if (problems.length > 0) return problems;
  const taken = isBot ? [] : await takeAddresses(scope, workflowId, found.draft);
  if (taken.length > 0) return taken;
  const number = (found.published ?? 0) + 1;
  const { workspaceId } = scope;
  const { name } = found;
  await scope.query(
    `INSERT INTO flow_versions (workspace_id, flow_id, number, content, published_at, published_by, published_by_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[workspaceId, workflowId, number, JSON.stringify(found.draft), scope.clock()],
      ...[personOf(scope.caller), 'name' in scope.caller ? scope.caller.name : scope.caller.part],
    ],
  );
  // The chatbot reads the triggers of its flows from their versions, and another press lets one answer.
  if (!isBot) {
    await writeTriggers(scope, workflowId, { number, flow: found.draft });
    await scheduleTriggers(scope, workflowId, scope.clock());
    const called = found.draft.triggers.filter(({ type }) => type === 'webhook');
    await addMissingHooks(
      scope,
      workflowId,
      called.map(({ id }) => id),
    );
  }
  await scope.query(
    `UPDATE flows SET status = CASE WHEN kind = 'bot' AND status <> 'active' THEN 'paused' ELSE 'active' END, published = $3, published_draft = version, published_at = $4, updated_at = $4, paused_for = NULL,
            paused_by_run = NULL WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, workflowId, number, scope.clock()],
  );
  await scope.query(
    `DELETE FROM flow_versions v WHERE v.workspace_id = $1 AND v.flow_id = $2 AND v.number <= $3
        AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.flow_id = v.flow_id AND r.version = v.number)`,
    [workspaceId, workflowId, number - workflowLimits.versionsKept],
  );
  await scope.emit(
    isBot
      ? { type: 'chatbot_flow.updated', subject: workflowId, values: { name } }
      : { type: 'workflow.published', subject: workflowId, values: { name, number, runs } },
  );
  return findLocked(scope, workflowId);
}

/** What facts are compared with; those of earlier versions go. */
async function writeTriggers(
  scope: WorkspaceScope,
  workflowId: string,
  { number, flow }: { number: number; flow: FlowFile },
): Promise<void> {
  const { goal } = flow.settings;
  const rows = [
    ...flow.triggers.map(({ id, type, config, conditions }) => ({
      id,
      type,
      config,
      conditions,
      goal: false,
    })),
    ...(goal ? [{ id: GOAL, type: goal.type, config: goal.config, conditions: null, goal: true }] : []),
  ];
  await scope.query('DELETE FROM flow_triggers WHERE workspace_id = $1 AND flow_id = $2', [
    scope.workspaceId,
    workflowId,
  ]);
  await scope.query(
    `INSERT INTO flow_triggers (workspace_id, flow_id, trigger_id, version, type, config, conditions, is_goal)
     SELECT $1, $2, t.id, $3, t.type, t.config, nullif(t.conditions, 'null'), t.goal
       FROM jsonb_to_recordset($4::jsonb) AS t (id text, type text, config jsonb, conditions jsonb, goal boolean)`,
    [scope.workspaceId, workflowId, number, JSON.stringify(rows)],
  );
}

/** No id of a trigger has a dot. */
const GOAL = 'goal.';

export async function setWorkflowStatus(
  scope: WorkspaceScope,
  workflowId: string,
  status: 'active' | 'paused',
  heldRuns: 'end' | 'continue' = 'end',
): Promise<FlowRow | 'workflow_not_found' | 'workflow_not_published'> {
  const found = await findFlowRow(scope, workflowId, 'FOR UPDATE OF f');
  if (!found) return 'workflow_not_found';
  if (found.published === null) return 'workflow_not_published';
  if (status === 'active' && heldRuns === 'continue')
    await continueHeldRuns(scope, { workspaceId: scope.workspaceId, flowId: workflowId, now: scope.clock() });
  if (found.status === status) return (await findFlowRow(scope, workflowId))!; // its row is locked
  await scope.query(
    `UPDATE flows SET status = $3, updated_at = $4, paused_for = NULL, paused_by_run = NULL WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, workflowId, status, scope.clock()],
  );
  // What was missed while it was paused is not made up for.
  if (status === 'active') await scheduleTriggers(scope, workflowId, scope.clock());
  // After a restore elsewhere they belong to nobody yet.
  if (status === 'active' && found.content) await takeAddresses(scope, workflowId, found.content);
  const { name } = found;
  await scope.emit(
    status === 'active'
      ? { type: 'workflow.activated', subject: workflowId, values: { name } }
      : { type: 'workflow.paused', subject: workflowId, values: { name, reason: null, runId: null } },
  );
  return (await findFlowRow(scope, workflowId))!; // its row is locked
}

export async function duplicateWorkflow(
  scope: WorkspaceScope,
  secrets: SecretBox,
  { workflowId, name }: { workflowId: string; name?: string | undefined },
): Promise<FlowRow | 'workflow_not_found' | 'workflow_limit'> {
  const found = await findFlowRow(scope, workflowId);
  if (!found) return 'workflow_not_found';
  const { draft } = found;
  return addWorkflow(scope, secrets, {
    ...emptyFlow('workflow', name ?? (await findFreeName(scope, draft.name)), draft.description),
    ...{ triggers: draft.triggers, start: draft.start, steps: draft.steps },
    ...{ settings: draft.settings, layout: draft.layout },
  });
}

/** `Welcome (2)`, as files are named beside each other. */
async function findFreeName(scope: WorkspaceScope, name: string): Promise<string> {
  const base = name.replace(/ \(\d+\)$/, '').slice(0, flowLimits.name - 8);
  const { rows } = await scope.query<{ name: string }>(
    `SELECT name FROM flows WHERE workspace_id = $1 AND starts_with(name, $2)`,
    [scope.workspaceId, base],
  );
  const taken = new Set(rows.map((row) => row.name));
  let count = 2;
  while (taken.has(`${base} (${count})`)) count += 1;
  return `${base} (${count})`;
}

/** @throws for callers who may delete neither this workflow nor any */
export async function removeWorkflow(
  scope: WorkspaceScope,
  workflowId: string,
): Promise<{ name: string } | 'workflow_not_found'> {
  const found = await findFlowRow(scope, workflowId, 'FOR UPDATE OF f');
  if (!found) return 'workflow_not_found';
  requireFlowRight(scope, 'delete', found);
  const of = [scope.workspaceId, workflowId];
  await scope.query('DELETE FROM flow_log WHERE workspace_id = $1 AND flow_id = $2', of);
  await scope.query('DELETE FROM flows WHERE workspace_id = $1 AND id = $2', of);
  await scope.emit({ type: 'workflow.deleted', subject: workflowId, values: { name: found.name } });
  return { name: found.name };
}

async function lockWorkflow(
  scope: WorkspaceScope,
  workflowId: string,
  version: number,
): Promise<FlowRow | 'workflow_not_found' | 'workflow_changed'> {
  const found = await findFlowRow(scope, workflowId, 'FOR UPDATE OF f', 'all');
  if (!found) return 'workflow_not_found';
  return found.version === version ? found : 'workflow_changed';
}

async function findLocked(scope: WorkspaceScope, workflowId: string): Promise<FlowRow> {
  return (await findFlowRow(scope, workflowId, '', 'all'))!; // its row is locked
}
