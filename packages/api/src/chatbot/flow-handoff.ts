import { newBotState } from '@app/domain/chatbot/bot-state';
import type { RunEffect } from '@app/flows/flow-host';
import { stopBotRuns } from '../automation/bot-flows.ts';
import { assignConversation } from '../automation/engine/effects/conversation-effects.ts';
import { lockBotState, writeBotState } from '../conversations/bot-states.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** A step of a flow hands the conversation to people. It is theirs also where the member or team that is named cannot get it: then the step has failed. */
export const botHandoff: RunEffect<WorkspaceScope> = async (scope, asked) => {
  const { contactId, run, request } = asked;
  if (contactId === null) return { status: 'failed', code: 'contact_missing' };
  const { rows } = await scope.query<{ id: string; channel_id: string }>(
    `SELECT id, channel_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = coalesce($3::uuid, channel_id)
      ORDER BY last_activity_at DESC, id LIMIT 1`,
    [scope.workspaceId, contactId, request['channelId']],
  );
  const [conversation] = rows;
  if (!conversation) return { status: 'failed', code: 'conversation_not_found' };
  const { id: conversationId, channel_id: channelId } = conversation;
  await stopBotRuns(scope, { contactId, channelId, code: 'handed_over', except: run.runId });
  const isNamed = request['teamId'] !== null || request['userId'] !== null;
  const assigned = isNamed ? await assignConversation(scope, asked) : null;
  const found = await lockBotState(scope, conversationId);
  const now = scope.clock().getTime();
  await writeBotState(scope, conversationId, {
    ...(found?.state ?? newBotState(now)),
    ...{ status: 'waiting', reason: 'flow', handedOverAt: now, handoff: null },
  });
  await scope.query('UPDATE bot_flows SET handoffs = handoffs + 1 WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    run.flowId,
  ]);
  await scope.emit({
    ...{ type: 'chatbot.handed_over', subject: conversationId },
    values: { contactIds: [contactId], reason: 'flow' },
  });
  return assigned && 'status' in assigned && assigned.status === 'failed' ? assigned : { status: 'done' };
};
