import { personOf } from '@app/domain/auth/caller';
import type { ReadScope } from '../platform/workspace-scope.ts';
import {
  COLUMNS,
  JOINS,
  presentConversation,
  type Conversation,
  type ConversationRow,
} from './conversations-queries.ts';

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
  const { rows } = await scope.query<ConversationRow>(
    `SELECT ${COLUMNS} FROM conversations c ${JOINS} WHERE c.workspace_id = $2 AND c.contact_id = $3
      ORDER BY c.last_activity_at DESC, c.id DESC LIMIT 50`,
    [personOf(scope.caller), scope.workspaceId, contactId],
  );
  return rows.map(presentConversation);
}
