import { personOf } from '@app/domain/auth/caller';
import { listLimits } from '@app/domain/conversations/list/conversation-filter';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/** What waits to be read; from a thousand on nobody wants to know it exactly, and counting on would cost more the more there are. */
export async function countConversations(scope: ReadScope): Promise<{ mine: number; unread: number }> {
  const { rows } = await scope.query<{ mine: number; unread: number }>(
    `SELECT (SELECT count(*)::integer FROM (${unreadOf('AND a.muted_at IS NULL AND (c.assignee_id IS NULL OR c.assignee_id = $2::uuid)')}) AS n) AS mine,
            (SELECT count(*)::integer FROM (${unreadOf('')}) AS n) AS unread`,
    [scope.workspaceId, personOf(scope.caller), listLimits.counted],
  );
  return rows[0]!; // one row, whatever there is
}

function unreadOf(condition: string): string {
  return `SELECT FROM conversations c
    LEFT JOIN conversation_marks a ON a.user_id = $2::uuid AND a.conversation_id = c.id
   WHERE c.workspace_id = $1 AND c.unread > 0 AND NOT c.is_archived ${condition} LIMIT $3`;
}
