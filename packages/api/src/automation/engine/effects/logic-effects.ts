import { bindTo } from '@app/database/bind-value';
import { segmentSql } from '@app/database/segments/segment-filter';
import { runClasses, type RunEffect } from '@app/flows/flow-host';
import { addStarts } from '@app/flows/flow-starts';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';

/** Asks the rules of the contact as it is in this transaction. */
export const checkContact: RunEffect<WorkspaceScope> = async (scope, { contactId, request }) => {
  const values: unknown[] = [scope.workspaceId, contactId];
  const rules = request['rules'] as SegmentRules; // publishing looked at them
  const condition = segmentSql(rules, bindTo(values), { workspaceId: scope.workspaceId, alias: 'c' });
  const { rows } = await scope.query<{ is_met: boolean }>(
    `SELECT ${condition} AS is_met FROM contacts c WHERE c.workspace_id = $1 AND c.id = $2`,
    values,
  );
  return { status: 'done', exit: rows[0]?.is_met === true ? 'yes' : 'no' };
};

/** The next flow of the bot takes the message along that began this one. One that is not active begins nothing. */
export const startBotFlow: RunEffect<WorkspaceScope> = async (scope, { contactId, request, run, key }) => {
  const { flowId, channelId, text, messageId } = request;
  const { rows } = await scope.query<{ id: string; published: number }>(
    `SELECT id, published FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'bot' AND published IS NOT NULL`,
    [scope.workspaceId, flowId],
  );
  const [flow] = rows;
  if (!flow) return { status: 'failed', code: 'reference_gone' };
  // A contact who writes may go round through menus; flows alone may not.
  const depth = (await hasReply(scope, run.runId)) ? 1 : run.depth + 1;
  if (depth > MOST_IN_A_ROW) return { status: 'failed', code: 'chain_depth' };
  const of = { channel_id: textOr(channelId), message_id: textOr(messageId) };
  const started = await addStarts(scope, [
    {
      ...{
        flowId: flow.id,
        version: flow.published,
        triggerId: 'begin',
        contactId,
        channelId: of.channel_id,
      },
      values: { answer: '', keyword: '', text: textOr(text) ?? '', ...of },
      ...{ source: key, class: runClasses.person, depth, at: scope.clock() },
    },
  ]);
  return started > 0 ? { status: 'done' } : { status: 'failed', code: 'flow_not_active' };
};

/** So many flows begin each other while the contact says nothing. */
const MOST_IN_A_ROW = 5;

async function hasReply(scope: WorkspaceScope, runId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM flow_inputs WHERE workspace_id = $1 AND run_id = $2 AND input->>'kind' = 'reply' LIMIT 1`,
    [scope.workspaceId, runId],
  );
  return rowCount !== 0;
}

const textOr = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Writes who is to enter; whether they may is asked there, and stored. A workflow that is not active starts no run, and a deleted workflow fails the step. */
export const startWorkflow: RunEffect<WorkspaceScope> = async (scope, { contactId, request, run, key }) => {
  const { rows } = await scope.query<{ id: string; published: number }>(
    `SELECT id, published FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'workflow' AND published IS NOT NULL`,
    [scope.workspaceId, request['workflowId']],
  );
  const [flow] = rows;
  if (!flow) return { status: 'failed', code: 'reference_gone' };
  await addStarts(scope, [
    {
      ...{ flowId: flow.id, version: flow.published, triggerId: null, contactId, channelId: null },
      ...{ source: key, values: {}, class: runClasses.event, depth: run.depth + 1, at: scope.clock() },
    },
  ]);
  return { status: 'done' };
};
