import { personOf } from '@app/domain/auth/caller';
import { botFlowSettings } from '@app/domain/chatbot/bot-flow';
import type { TalkingRun } from '@app/domain/chatbot/decide-answer';
import type { FlowProblem } from '@app/domain/flows/check-flow';
import type { FlowConfig, FlowFile } from '@app/domain/flows/flow-file';
import { listOfTexts } from '@app/domain/flows/step-type';
import { choicesOf } from '@app/domain/flows/steps/offer-choices';
import { addInputs } from '@app/flows/flow-inputs';
import { withdrawMessages } from '../conversations/sending/withdraw-queued.ts';
import type { SecretBox } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { checkFlow } from './check-references.ts';
import { sealHeaders } from './flow-secrets.ts';

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

/** Makes a flow of a bot that is not published yet. */
export async function addBotDraft(
  scope: WorkspaceScope,
  secrets: SecretBox,
  { flowId, flow }: { flowId: string; flow: FlowFile },
): Promise<void> {
  const draft = asBotFlow(await sealHeaders(scope, secrets, flow));
  await scope.query(
    `INSERT INTO flows (id, workspace_id, kind, name, description, draft, owner_id, created_at, updated_at)
     VALUES ($1, $2, 'bot', $3, $4, $5, $6, $7, $7)`,
    [
      ...[flowId, scope.workspaceId, draft.name, draft.description, JSON.stringify(draft)],
      ...[personOf(scope.caller), scope.clock()],
    ],
  );
}

/** Who may enter is not asked of a bot flow: the bot sees to that. */
export function asBotFlow(flow: FlowFile): FlowFile {
  return { ...flow, kind: 'bot', settings: botFlowSettings };
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

/** Steps that make a run a dialogue: it waits for what the contact writes. */
const TALKS = `v.content->'steps' @@ '$[*].type == "ask" || $[*].type == "offer_choices" || $[*].type == "wait_for_reply"'`;
/** A run that has been at a step for longer than this is not about to speak: its message waits, or a service does not answer. */
const BUSY_MS = 120_000;

/** The run of a flow that is in a dialogue with the contact; the one that waits for an answer first. The contact is locked, so no run moves meanwhile. */
export async function findTalkingRun(
  scope: ReadScope,
  { contactId, channelId }: { contactId: string; channelId: string },
): Promise<TalkingRun | null> {
  const { rows } = await scope.query<Omit<TalkingRun, 'choices'> & { config: FlowConfig | null }>(
    `SELECT r.id AS "runId", r.flow_id AS "flowId", f.name,
            CASE WHEN r.wait = 'reply' AND NOT EXISTS (SELECT FROM flow_inputs i WHERE i.run_id = r.id AND i.is_open) THEN 'waiting' ELSE 'busy' END AS phase,
            NOT EXISTS (SELECT FROM flow_effects e JOIN messages q ON q.id = e.message_id
                         WHERE e.run_id = r.id AND e.visit = (r.state->>'visit')::integer AND q.state = 'queued') AS "isAsked",
            (r.state->>'arrivedAt')::float8 AS "arrivedAt",
            jsonb_path_query_first(v.content->'steps', '$[*] ? (@.id == $at).config', jsonb_build_object('at', r.state->'at')) AS config
       FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot' JOIN flow_versions v ON v.flow_id = r.flow_id AND v.number = r.version
      WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.channel_id = $3 AND r.status = 'running' AND NOT r.is_test
        AND (r.wait = 'reply' OR (coalesce(r.wait, 'effect') = 'effect' AND (r.state->>'arrivedAt')::bigint > $4 AND ${TALKS}))
      ORDER BY (r.wait = 'reply') DESC NULLS LAST, (r.state->>'arrivedAt')::bigint DESC, r.id DESC LIMIT 1`,
    [scope.workspaceId, contactId, channelId, scope.clock().getTime() - BUSY_MS],
  );
  const [row] = rows;
  if (!row) return null;
  const { config, ...run } = row;
  return { ...run, choices: config ? titlesOf(config) : [] };
}

/** Whether a run of a workflow waits for what the contact writes, or has taken this message as the reply already. */
export async function isAwaitedByWorkflow(
  scope: ReadScope,
  { contactId, messageId }: { contactId: string; messageId: string },
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
      WHERE r.workspace_id = $1 AND r.contact_id = $2 AND ((r.status = 'running' AND r.wait = 'reply')
        OR EXISTS (SELECT FROM flow_inputs i WHERE i.run_id = r.id AND i.input->>'kind' = 'reply' AND i.input->>'messageId' = $3)) LIMIT 1`,
    [scope.workspaceId, contactId, messageId],
  );
  return rowCount !== 0;
}

/** What the step offers to be tapped. */
function titlesOf(config: FlowConfig): string[] {
  const options = config['answer'] === 'choice' ? listOfTexts(config, 'options') : [];
  return [...options, ...choicesOf(config).map(({ title }) => title)];
}

/** Ends the dialogues of a contact, as another one begins; what they have said already still leaves. */
export async function stopDialogues(
  scope: WorkspaceScope,
  { contactId, channelId, code }: { contactId: string; channelId: string; code: string },
): Promise<void> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT r.id FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot' JOIN flow_versions v ON v.flow_id = r.flow_id AND v.number = r.version
      WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.channel_id = $3 AND r.status = 'running' AND ${TALKS} ORDER BY r.id`,
    [scope.workspaceId, contactId, channelId],
  );
  await cancelRuns(
    scope,
    rows.map(({ id }) => id),
    code,
  );
}

/** No run goes on, as when the bot is turned off. */
export async function stopAllDialogues(scope: WorkspaceScope, code: string): Promise<void> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT r.id FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot'
      WHERE r.workspace_id = $1 AND r.status = 'running' AND r.wait IN ('reply', 'event', 'time', 'delay') ORDER BY r.id`,
    [scope.workspaceId],
  );
  await cancelRuns(
    scope,
    rows.map(({ id }) => id),
    code,
  );
}

async function cancelRuns(scope: WorkspaceScope, ids: readonly string[], code: string): Promise<void> {
  await addInputs(
    scope,
    ids.map((id) => ({ runId: id, source: `stop/${code}`, input: { kind: 'cancel', code } })),
    scope.clock(),
  );
}

/** What the bot is about to say to a contact is not said any more: starts that wait, runs in progress, and messages that have not left. */
export async function stopBotRuns(
  scope: WorkspaceScope,
  {
    contactId,
    channelId,
    code,
    except = null,
  }: { contactId: string; channelId: string; code: string; except?: string | null },
): Promise<void> {
  const of = [scope.workspaceId, contactId, channelId];
  await scope.query(
    `UPDATE flow_starts s SET state = 'refused', reason = $4, settled_at = $5 FROM flows f
      WHERE s.workspace_id = $1 AND s.contact_id = $2 AND s.channel_id = $3 AND s.state = 'open' AND f.id = s.flow_id AND f.kind = 'bot'`,
    [...of, code, scope.clock()],
  );
  const { rows } = await scope.query<{ id: string; flow_id: string }>(
    `SELECT r.id, r.flow_id FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot'
      WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.channel_id = $3 AND r.status = 'running'
        AND r.id IS DISTINCT FROM $4::uuid ORDER BY r.id`,
    [...of, except],
  );
  for (const { id, flow_id: flowId } of rows)
    await withdrawMessages(scope, { source: `flow/${flowId}/${id}` });
  await cancelRuns(
    scope,
    rows.map(({ id }) => id),
    code,
  );
}
