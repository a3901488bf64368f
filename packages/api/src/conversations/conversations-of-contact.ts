import type { ReadScope } from '../platform/workspace-scope.ts';
import { findConversation, type Conversation } from './conversations-queries.ts';

/** One for each channel that the person was ever met on, so there are few; null where there is no such contact. */
export async function listConversationsOf(
  scope: ReadScope,
  contactId: string,
): Promise<Conversation[] | null> {
  const { rowCount } = await scope.query('SELECT FROM contacts WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    contactId,
  ]);
  if (!rowCount) return null;
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 ORDER BY last_activity_at DESC, id DESC LIMIT 50`,
    [scope.workspaceId, contactId],
  );
  const found: Conversation[] = [];
  for (const { id } of rows) {
    const conversation = await findConversation(scope, id);
    if (conversation) found.push(conversation);
  }
  return found;
}
