import { clearLastMessages } from '@app/database/contacts/show-last-message';
import type { ApiDependencies } from '../platform/request-context.ts';
import { pruneKept } from '../platform/retention/prune-kept.ts';
import { MESSAGE_IS_OVER } from '../platform/retention/what-goes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

const AT_ONCE = 2_000;

/** Messages that were kept for as long as their workspace wants; their conversations say so. Files follow by themselves. */
export const pruneMessages = (parts: ApiDependencies): Promise<void> =>
  pruneKept(parts, 'messages', pruneSome);

async function pruneSome(scope: WorkspaceScope, before: Date): Promise<boolean> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string; contact_id: string | null }>(
    `SELECT id, contact_id FROM messages m
      WHERE workspace_id = $1 AND occurred_at < $2 AND ${MESSAGE_IS_OVER} LIMIT ${AT_ONCE}`,
    [workspaceId, before],
  );
  if (rows.length === 0) return false;
  const contactIds = [...new Set(rows.flatMap(({ contact_id: id }) => id ?? []))];
  // Contacts, then messages, then conversations: everybody's order. A merge that was quicker has moved what is deleted below.
  await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE',
    [workspaceId, contactIds],
  );
  const { rows: gone } = await scope.query<Gone>(
    `DELETE FROM messages m WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND ${MESSAGE_IS_OVER}
     RETURNING id, contact_id, channel_id, is_unread`,
    [workspaceId, rows.map(({ id }) => id)],
  );
  await clearLastMessages(scope, { workspaceId, contactIds, before });
  await settleConversations(scope, before, gone);
  return rows.length === AT_ONCE;
}

type Gone = { id: string; contact_id: string | null; channel_id: string; is_unread: boolean };

async function settleConversations(
  scope: WorkspaceScope,
  before: Date,
  gone: readonly Gone[],
): Promise<void> {
  await scope.query(
    `WITH theirs AS (
       SELECT contact_id, channel_id, array_agg(id) AS ids, count(*) FILTER (WHERE is_unread)::integer AS unread
         FROM jsonb_to_recordset($3::jsonb) AS g (id uuid, contact_id uuid, channel_id uuid, is_unread boolean)
        WHERE contact_id IS NOT NULL GROUP BY contact_id, channel_id
     ), locked AS (
       SELECT c.id, t.ids, t.unread FROM conversations c JOIN theirs t ON t.contact_id = c.contact_id AND t.channel_id = c.channel_id
        WHERE c.workspace_id = $1 ORDER BY c.contact_id, c.channel_id FOR NO KEY UPDATE OF c)
     UPDATE conversations c
        SET kept_since = greatest(c.kept_since, $2), unread = greatest(c.unread - t.unread, 0),
            last_message_id = CASE WHEN c.last_message_id = ANY (t.ids) THEN NULL ELSE c.last_message_id END,
            last_message_type = CASE WHEN c.last_message_id = ANY (t.ids) THEN NULL ELSE c.last_message_type END,
            last_message_direction = CASE WHEN c.last_message_id = ANY (t.ids) THEN NULL ELSE c.last_message_direction END,
            last_message_at = CASE WHEN c.last_message_id = ANY (t.ids) THEN NULL ELSE c.last_message_at END
       FROM locked t WHERE c.id = t.id`,
    [scope.workspaceId, before, JSON.stringify(gone)],
  );
}
