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

/**
 * Locks several conversations and, before them, their contacts, each in the order in which everything else locks them, so that no two transactions
 * wait for each other. For work that goes through them in an order of its own.
 */
export async function lockConversations(scope: ReadScope, conversationIds: readonly string[]): Promise<void> {
  const ids = [...new Set(conversationIds)];
  if (ids.length === 0) return;
  await scope.query(
    `SELECT FROM contacts WHERE workspace_id = $1 AND id IN (
       SELECT contact_id FROM conversations WHERE workspace_id = $1 AND id = ANY ($2::uuid[])) ORDER BY id FOR NO KEY UPDATE`,
    [scope.workspaceId, ids],
  );
  await scope.query(
    `SELECT FROM conversations WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY contact_id, channel_id FOR NO KEY UPDATE`,
    [scope.workspaceId, ids],
  );
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
