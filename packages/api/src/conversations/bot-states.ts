import { readBotState, type BotState } from '@app/domain/chatbot/bot-state';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** What the bot remembers of a conversation, whose row stays locked until the change is done. Contacts are locked before, as everybody does. */
export async function lockBotState(
  scope: WorkspaceScope,
  conversationId: string,
): Promise<{ contactId: string; channelId: string; state: BotState | null } | null> {
  const { rows } = await scope.query<{ contact_id: string; channel_id: string; bot_state: unknown }>(
    `SELECT contact_id, channel_id, bot_state FROM conversations WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [scope.workspaceId, conversationId],
  );
  const [row] = rows;
  if (!row) return null;
  return { contactId: row.contact_id, channelId: row.channel_id, state: readBotState(row.bot_state) };
}

export async function writeBotState(
  scope: ReadScope,
  conversationId: string,
  state: BotState,
): Promise<void> {
  await scope.query('UPDATE conversations SET bot_state = $3 WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    conversationId,
    JSON.stringify(state),
  ]);
}
