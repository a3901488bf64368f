import type { botFlow } from '@app/contracts/chatbot/chatbot-contract';
import { newId } from '@app/database/new-id';
import {
  compileBotFlow,
  readResponses,
  triggersOf,
  type BotFlow as FlowParts,
} from '@app/domain/chatbot/bot-flow';
import { botLimits } from '@app/domain/chatbot/bot-settings';
import { stepsInOrder } from '@app/domain/flows/check-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import type { z } from 'zod';
import { addBotDraft, deleteBotFlow, publishBotFlow, setBotFlowActive } from '../automation/bot-flows.ts';
import { requireFlowRight } from '../automation/require-flow-right.ts';
import { isOwnDraft } from '../automation/workflows-queries.ts';
import type { SecretBox } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type BotFlow = z.infer<typeof botFlow>;

type Row = {
  id: string;
  name: string;
  description: string;
  draft: FlowFile;
  published: number | null;
  published_draft: number | null;
  owner_id: string | null;
  status: string;
  place: number;
  triggered: string;
  completed: string;
  handoffs: string;
  created_at: Date;
  version: number;
};

const FLOWS = `SELECT f.id, f.name, f.description, f.draft, f.published, f.published_draft, f.owner_id, f.status, f.triggered, f.completed, b.handoffs,
    f.created_at, f.version, (row_number() OVER (ORDER BY b.priority, b.id))::int AS place
  FROM bot_flows b JOIN flows f ON f.id = b.id WHERE b.workspace_id = $1`;

/** By priority. */
export async function listBotFlows(scope: ReadScope): Promise<BotFlow[]> {
  const { rows } = await scope.query<Row>(`${FLOWS} ORDER BY place`, [scope.workspaceId]);
  return rows.map((row) => present(scope, row));
}

async function findBotFlow(scope: ReadScope, botFlowId: string): Promise<BotFlow | undefined> {
  return (await listBotFlows(scope)).find(({ id }) => id === botFlowId);
}

/** It answers nobody until it is activated, and is asked after all others. */
export async function addBotFlow(
  scope: WorkspaceScope,
  flow: FlowParts,
): Promise<BotFlow | 'bot_flow_limit' | 'bot_flow_template_gone'> {
  if (!(await areTemplatesHere(scope, flow))) return 'bot_flow_template_gone';
  return addPublishedFlow(scope, compileBotFlow(flow));
}

/** Published at once; it answers nobody until it is activated. */
export async function addPublishedFlow(
  scope: WorkspaceScope,
  flow: FlowFile,
): Promise<BotFlow | 'bot_flow_limit' | 'bot_flow_template_gone'> {
  const priority = await findFreePriority(scope);
  if (priority === null) return 'bot_flow_limit';
  const flowId = newId();
  const problems = await publishBotFlow(scope, { flowId, flow, isActive: false });
  if (problems.length > 0) return 'bot_flow_template_gone';
  return insertBotFlow(scope, { flowId, name: flow.name, priority });
}

/** Of a flow file, as a draft. */
export async function importBotFlow(
  scope: WorkspaceScope,
  secrets: SecretBox,
  flow: FlowFile,
): Promise<BotFlow | 'bot_flow_limit'> {
  const priority = await findFreePriority(scope);
  if (priority === null) return 'bot_flow_limit';
  const flowId = newId();
  await addBotDraft(scope, secrets, { flowId, flow });
  return insertBotFlow(scope, { flowId, name: flow.name, priority });
}

/** Behind all others; null where there are as many as there can be. */
async function findFreePriority(scope: ReadScope): Promise<number | null> {
  const { rows } = await scope.query<{ n: number; last: number }>(
    'SELECT count(*)::int AS n, coalesce(max(priority), 0) AS last FROM bot_flows WHERE workspace_id = $1',
    [scope.workspaceId],
  );
  const { n = 0, last = 0 } = rows[0] ?? {};
  return n >= botLimits.flows ? null : last + 1;
}

async function insertBotFlow(
  scope: WorkspaceScope,
  { flowId, name, priority }: { flowId: string; name: string; priority: number },
): Promise<BotFlow> {
  await scope.query('INSERT INTO bot_flows (id, workspace_id, priority) VALUES ($1, $2, $3)', [
    flowId,
    scope.workspaceId,
    priority,
  ]);
  await scope.emit({ type: 'chatbot_flow.created', subject: flowId, values: { name } });
  return (await findBotFlow(scope, flowId))!; // written above
}

export async function changeBotFlow(
  scope: WorkspaceScope,
  { botFlowId, version, ...flow }: FlowParts & { botFlowId: string; version: number },
): Promise<BotFlow | 'bot_flow_not_found' | 'bot_flow_changed' | 'bot_flow_template_gone'> {
  const found = await lockBotFlow(scope, botFlowId);
  if (!found) return 'bot_flow_not_found';
  if (found.version !== version) return 'bot_flow_changed';
  if (!(await areTemplatesHere(scope, flow))) return 'bot_flow_template_gone';
  const problems = await publishBotFlow(scope, { flowId: botFlowId, flow: compileBotFlow(flow) });
  if (problems.length > 0) return 'bot_flow_template_gone';
  await scope.emit({ type: 'chatbot_flow.updated', subject: botFlowId, values: { name: flow.name } });
  return (await findBotFlow(scope, botFlowId))!; // its row is locked
}

export async function switchBotFlow(
  scope: WorkspaceScope,
  { botFlowId, isActive }: { botFlowId: string; isActive: boolean },
): Promise<BotFlow | 'bot_flow_not_found' | 'bot_flow_not_published'> {
  if (!(await lockBotFlow(scope, botFlowId))) return 'bot_flow_not_found';
  const found = (await findBotFlow(scope, botFlowId))!; // its row is locked
  if (!found.isPublished) return 'bot_flow_not_published';
  if (found.isActive === isActive) return found;
  await setBotFlowActive(scope, { flowId: botFlowId, isActive });
  const { name } = found;
  await scope.emit({ type: 'chatbot_flow.switched', subject: botFlowId, values: { name, isActive } });
  return { ...found, isActive };
}

/** Those that are not named stay behind them; ids that are unknown here, or gone by now, say nothing. */
export async function orderBotFlows(
  scope: WorkspaceScope,
  botFlowIds: readonly string[],
): Promise<BotFlow[]> {
  const { rowCount } = await scope.query(
    `UPDATE bot_flows b SET priority = o.place FROM (
       SELECT id, (row_number() OVER (ORDER BY coalesce(array_position($2::uuid[], id), 100000), priority, id))::int AS place
         FROM bot_flows WHERE workspace_id = $1) AS o
      WHERE b.workspace_id = $1 AND b.id = o.id AND b.priority <> o.place`,
    [scope.workspaceId, botFlowIds],
  );
  if (rowCount) await scope.emit({ type: 'chatbot.flows_ordered', subject: scope.workspaceId, values: {} });
  return listBotFlows(scope);
}

/** @throws for callers who may delete neither this flow nor any */
export async function removeBotFlow(
  scope: WorkspaceScope,
  botFlowId: string,
): Promise<null | 'bot_flow_not_found'> {
  const found = await lockBotFlow(scope, botFlowId);
  if (!found) return 'bot_flow_not_found';
  requireFlowRight(scope, 'delete', found);
  await deleteBotFlow(scope, botFlowId);
  await scope.emit({ type: 'chatbot_flow.deleted', subject: botFlowId, values: { name: found.name } });
  return null;
}

type LockedFlow = Pick<Row, 'version' | 'name' | 'owner_id' | 'published'>;

async function lockBotFlow(scope: WorkspaceScope, botFlowId: string): Promise<LockedFlow | undefined> {
  const { rows } = await scope.query<LockedFlow>(
    'SELECT f.version, f.name, f.owner_id, f.published FROM bot_flows b JOIN flows f ON f.id = b.id WHERE b.workspace_id = $1 AND b.id = $2 FOR UPDATE',
    [scope.workspaceId, botFlowId],
  );
  return rows[0];
}

/** Whatever the response makes of them: no flow keeps an id that is not of this workspace. */
async function areTemplatesHere(scope: ReadScope, { responses }: FlowParts): Promise<boolean> {
  const ids = [...new Set(responses.flatMap(({ templateId }) => templateId ?? []))];
  if (ids.length === 0) return true;
  const { rowCount } = await scope.query(
    'SELECT FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  return rowCount === ids.length;
}

function present(scope: ReadScope, row: Row): BotFlow {
  return {
    ...{ id: row.id, name: row.name, description: row.description, priority: row.place },
    triggers: triggersOf(row.draft),
    responses: readResponses(row.draft),
    steps: stepsInOrder(row.draft).map(({ type }) => type),
    isPublished: row.published !== null,
    hasChanges: row.published_draft !== row.version,
    isActive: row.status === 'active',
    analytics: {
      triggered: Number(row.triggered),
      completed: Number(row.completed),
      handoffs: Number(row.handoffs),
    },
    createdAt: row.created_at.toISOString(),
    version: row.version,
    isOwnDraft: isOwnDraft(scope, row),
  };
}
