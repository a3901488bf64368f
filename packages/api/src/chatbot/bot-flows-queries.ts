import type { botFlow } from '@app/contracts/chatbot/chatbot-contract';
import { newId } from '@app/database/new-id';
import { compileBotFlow, type BotFlow as FlowParts, type BotResponse } from '@app/domain/chatbot/bot-flow';
import { botLimits } from '@app/domain/chatbot/bot-settings';
import type { z } from 'zod';
import { deleteBotFlow, publishBotFlow, setBotFlowActive } from '../automation/bot-flows.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type BotFlow = z.infer<typeof botFlow>;

type Row = {
  id: string;
  name: string;
  description: string;
  trigger_type: BotFlow['trigger']['type'];
  trigger_value: string;
  responses: BotResponse[];
  status: string;
  place: number;
  triggered: string;
  completed: string;
  handoffs: string;
  created_at: Date;
  version: number;
};

const FLOWS = `SELECT f.id, f.name, f.description, b.trigger_type, b.trigger_value, b.responses, f.status, f.triggered, f.completed, b.handoffs,
    f.created_at, b.version, (row_number() OVER (ORDER BY b.priority, b.id))::int AS place
  FROM bot_flows b JOIN flows f ON f.id = b.id WHERE b.workspace_id = $1`;

/** By priority. */
export async function listBotFlows(scope: ReadScope): Promise<BotFlow[]> {
  const { rows } = await scope.query<Row>(`${FLOWS} ORDER BY place`, [scope.workspaceId]);
  return rows.map(present);
}

async function findBotFlow(scope: ReadScope, botFlowId: string): Promise<BotFlow | undefined> {
  return (await listBotFlows(scope)).find(({ id }) => id === botFlowId);
}

/** It answers nobody until it is activated, and is asked after all others. */
export async function addBotFlow(
  scope: WorkspaceScope,
  flow: FlowParts,
): Promise<BotFlow | 'bot_flow_limit' | 'bot_flow_template_gone'> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ n: number; last: number }>(
    'SELECT count(*)::int AS n, coalesce(max(priority), 0) AS last FROM bot_flows WHERE workspace_id = $1',
    [workspaceId],
  );
  const { n = 0, last = 0 } = rows[0] ?? {};
  if (n >= botLimits.flows) return 'bot_flow_limit';
  if (!(await areTemplatesHere(scope, flow))) return 'bot_flow_template_gone';
  const flowId = newId();
  const problems = await publishBotFlow(scope, { flowId, flow: compileBotFlow(flow), isActive: false });
  if (problems.length > 0) return 'bot_flow_template_gone';
  await scope.query(
    `INSERT INTO bot_flows (id, workspace_id, priority, trigger_type, trigger_value, responses) VALUES ($1, $2, $3, $4, $5, $6)`,
    [flowId, workspaceId, last + 1, flow.trigger.type, flow.trigger.value, JSON.stringify(flow.responses)],
  );
  await scope.emit({ type: 'chatbot_flow.created', subject: flowId, values: { name: flow.name } });
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
  await scope.query(
    `UPDATE bot_flows SET trigger_type = $3, trigger_value = $4, responses = $5, version = version + 1 WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, botFlowId, flow.trigger.type, flow.trigger.value],
      JSON.stringify(flow.responses),
    ],
  );
  await scope.emit({ type: 'chatbot_flow.updated', subject: botFlowId, values: { name: flow.name } });
  return (await findBotFlow(scope, botFlowId))!; // its row is locked
}

export async function switchBotFlow(
  scope: WorkspaceScope,
  { botFlowId, isActive }: { botFlowId: string; isActive: boolean },
): Promise<BotFlow | 'bot_flow_not_found'> {
  if (!(await lockBotFlow(scope, botFlowId))) return 'bot_flow_not_found';
  const found = (await findBotFlow(scope, botFlowId))!; // its row is locked
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

export async function removeBotFlow(
  scope: WorkspaceScope,
  botFlowId: string,
): Promise<null | 'bot_flow_not_found'> {
  const { rows } = await scope.query<{ name: string }>(
    `SELECT f.name FROM bot_flows b JOIN flows f ON f.id = b.id WHERE b.workspace_id = $1 AND b.id = $2`,
    [scope.workspaceId, botFlowId],
  );
  const [found] = rows;
  if (!found) return 'bot_flow_not_found';
  await deleteBotFlow(scope, botFlowId);
  await scope.emit({ type: 'chatbot_flow.deleted', subject: botFlowId, values: { name: found.name } });
  return null;
}

async function lockBotFlow(
  scope: WorkspaceScope,
  botFlowId: string,
): Promise<{ version: number } | undefined> {
  const { rows } = await scope.query<{ version: number }>(
    'SELECT version FROM bot_flows WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
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

function present(row: Row): BotFlow {
  return {
    ...{ id: row.id, name: row.name, description: row.description, priority: row.place },
    trigger: { type: row.trigger_type, value: row.trigger_value },
    responses: row.responses,
    isActive: row.status === 'active',
    analytics: {
      triggered: Number(row.triggered),
      completed: Number(row.completed),
      handoffs: Number(row.handoffs),
    },
    createdAt: row.created_at.toISOString(),
    version: row.version,
  };
}
