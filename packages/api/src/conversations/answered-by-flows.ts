import { bindTo } from '@app/database/bind-value';
import { segmentSql } from '@app/database/segments/segment-filter';
import type { FlowConfig } from '@app/domain/flows/flow-file';
import { findTriggerType } from '@app/domain/flows/trigger-types';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Message = { messageId: string; contactId: string; channelId: string; text: string };

/**
 * The ids of those messages that a workflow answers, or a run that waits for the reply: the automatic reply is the last in line, and leaves these
 * alone. Asked by the triggers as they are now, so that it does not matter who hears of a message first.
 */
export async function findAnsweredByFlows(
  scope: ReadScope,
  messages: readonly Message[],
): Promise<ReadonlySet<string>> {
  if (messages.length === 0) return new Set();
  const contactIds = [...new Set(messages.map(({ contactId }) => contactId))];
  const { rows: waiting } = await scope.query<{ contact_id: string; message_id: string | null }>(
    `SELECT r.contact_id, NULL AS message_id FROM flow_runs r
      WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) AND r.status = 'running' AND r.wait = 'reply'
     UNION ALL
     SELECT r.contact_id, i.input->>'messageId' FROM flow_runs r JOIN flow_inputs i ON i.run_id = r.id AND i.input->>'kind' = 'reply'
      WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[])`,
    [scope.workspaceId, contactIds],
  );
  const answered = new Set(
    messages
      .filter(({ contactId, messageId }) =>
        waiting.some(
          ({ contact_id: of, message_id: id }) => of === contactId && (id === null || id === messageId),
        ),
      )
      .map(({ messageId }) => messageId),
  );
  const { rows: triggers } = await scope.query<Trigger>(
    `SELECT t.flow_id, t.config, t.conditions, v.content->'settings'->>'reentry' AS reentry FROM flow_triggers t
       JOIN flows f ON f.id = t.flow_id AND f.kind = 'workflow' AND f.status = 'active' AND f.published = t.version
       JOIN flow_versions v ON v.flow_id = t.flow_id AND v.number = t.version
      WHERE t.workspace_id = $1 AND t.type = 'message_received' AND NOT t.is_goal AND v.content->'steps' @> '[{"type": "send_message"}]'`,
    [scope.workspaceId],
  );
  for (const message of messages)
    if (!answered.has(message.messageId) && (await begins(scope, triggers, message)))
      answered.add(message.messageId);
  return answered;
}

type Trigger = { flow_id: string; config: FlowConfig; conditions: SegmentRules | null; reentry: string };

async function begins(
  scope: ReadScope,
  triggers: readonly Trigger[],
  { contactId, channelId, text, messageId }: Message,
): Promise<boolean> {
  const matching = triggers.filter(({ config }) =>
    findTriggerType('message_received')?.matches(config, { text, channel_id: channelId }),
  );
  for (const { flow_id: flowId, conditions, reentry } of matching) {
    const values: unknown[] = [scope.workspaceId, contactId, flowId, messageId];
    const rows = { workspaceId: scope.workspaceId, alias: 'c' };
    const meets = conditions === null ? 'true' : segmentSql(conditions, bindTo(values), rows);
    // Who entered before may not enter again, unless that was by this very message.
    const { rows: found } = await scope.query<{ meets: boolean; entered: boolean; inside: boolean }>(
      `SELECT ${meets} AS meets,
              EXISTS (SELECT FROM flow_entries e WHERE e.flow_id = $3 AND e.contact_id = c.id) AS entered,
              EXISTS (SELECT FROM flow_runs r WHERE r.flow_id = $3 AND r.contact_id = c.id AND r.status = 'running'
                        AND r.state->'trigger'->>'message_id' IS DISTINCT FROM $4::text) AS inside
         FROM contacts c WHERE c.workspace_id = $1 AND c.id = $2`,
      values,
    );
    const [contact] = found;
    if (!contact?.meets) continue;
    if (reentry === 'once' && contact.entered && !(await beganBy(scope, flowId, messageId))) continue;
    if (reentry === 'one_at_a_time' && contact.inside) continue;
    return true;
  }
  return false;
}

async function beganBy(scope: ReadScope, flowId: string, messageId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM flow_starts WHERE workspace_id = $1 AND flow_id = $2 AND state = 'started' AND "values"->>'message_id' = $3`,
    [scope.workspaceId, flowId, messageId],
  );
  return rowCount !== 0;
}
