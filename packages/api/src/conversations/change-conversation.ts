import type { ConversationPriority, ConversationStatus } from '@app/domain/conversations/conversation-status';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findConversation, type Conversation } from './conversations-queries.ts';

export type Versioned = { conversationId: string; version: number };
export type Missed = 'conversation_not_found' | 'conversation_changed';

export type Before = {
  assignee_id: string | null;
  team_id: string | null;
  status: ConversationStatus;
  priority: ConversationPriority;
  is_archived: boolean;
  labels: string[];
};
type Changed = { contactIds: string[]; before: Before };
type Told = Parameters<WorkspaceScope['emit']>[0];

/** Changes what people decide of a conversation, if it is as they saw it. `change` sets columns; `$4` is its value. */
export async function changeConversation(
  scope: WorkspaceScope,
  { conversationId, version }: Versioned,
  change: string,
  value: unknown,
  factOf: (changed: Changed) => Told | null,
): Promise<Conversation | Missed> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<Before & { contact_id: string; version: number }>(
    `SELECT contact_id, assignee_id, team_id, status, priority, is_archived, labels, version FROM conversations
      WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [workspaceId, conversationId],
  );
  const [before] = rows;
  if (!before) return 'conversation_not_found';
  if (before.version !== version) return 'conversation_changed';
  await scope.query(
    `UPDATE conversations SET ${change}, version = version + 1 WHERE workspace_id = $1 AND id = $2 AND version = $3`,
    [workspaceId, conversationId, version, value],
  );
  const fact = factOf({ contactIds: [before.contact_id], before });
  if (fact) await scope.emit(fact);
  return (await findConversation(scope, conversationId)) ?? 'conversation_not_found';
}
