import { personOf } from '@app/domain/auth/caller';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

type Marked = { id: string; marks: number };

/** Marks all messages that had arrived as read; answers how many marks went, by conversation. */
export async function readMany(scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await scope.query<Marked>(
    `WITH found AS (
       SELECT m.id, c.id AS conversation_id FROM conversations c
         JOIN messages m ON m.contact_id = c.contact_id AND m.channel_id = c.channel_id
        WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) AND c.unread > 0 AND m.is_unread
        ORDER BY m.id FOR UPDATE OF m
     ), done AS (
       UPDATE messages m SET is_unread = false FROM found WHERE m.id = found.id AND m.is_unread RETURNING found.conversation_id
     )
     SELECT conversation_id AS id, -count(*)::integer AS marks FROM done GROUP BY conversation_id`,
    [scope.workspaceId, ids],
  );
  return byConversation(rows);
}

/** Marks the last message of the contact where none is unread. */
export async function markManyUnread(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await scope.query<Marked>(
    `WITH last AS (
       SELECT c.id AS conversation_id, (
         SELECT m.id FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id
            AND m.direction = 'in' AND is_said(m) ORDER BY m.occurred_at DESC, m.id DESC LIMIT 1) AS message_id
         FROM conversations c WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) AND c.unread = 0
     ), found AS (
       SELECT m.id, last.conversation_id FROM last JOIN messages m ON m.id = last.message_id ORDER BY m.id FOR UPDATE OF m
     ), done AS (
       UPDATE messages m SET is_unread = true FROM found WHERE m.id = found.id AND NOT m.is_unread RETURNING found.conversation_id
     )
     SELECT conversation_id AS id, count(*)::integer AS marks FROM done GROUP BY conversation_id`,
    [scope.workspaceId, ids],
  );
  return byConversation(rows);
}

/** Pins for the person who asks, or takes the pins away; answers of which that is new. */
export async function pinMany(
  scope: WorkspaceScope,
  ids: readonly string[],
  isPinned: boolean,
): Promise<string[]> {
  const { rows } = await scope.query<{ id: string }>(
    `INSERT INTO conversation_marks AS a (workspace_id, conversation_id, user_id, pinned_at)
     SELECT $1, c.id, $3, CASE WHEN $4 THEN $5::timestamptz END FROM conversations c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[])
        AND ($4 OR EXISTS (SELECT FROM conversation_marks k WHERE k.user_id = $3 AND k.conversation_id = c.id))
     ON CONFLICT (user_id, conversation_id) DO UPDATE SET pinned_at = excluded.pinned_at WHERE (a.pinned_at IS NULL) = $4
     RETURNING conversation_id AS id`,
    [scope.workspaceId, ids, personOf(scope.caller), isPinned, scope.clock()],
  );
  return rows.map(({ id }) => id);
}

function byConversation(rows: readonly Marked[]): Map<string, number> {
  return new Map(rows.map(({ id, marks }) => [id, marks]));
}
