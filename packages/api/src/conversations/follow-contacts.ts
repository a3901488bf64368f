import { withoutRollups } from '@app/database/analytics/count-rollups';
import { recountConversations } from '@app/database/conversations/note-messages';
import { settleSla } from '@app/database/conversations/settle-sla';
import { conversationPriorities } from '@app/domain/conversations/conversation-status';
import { joinEntries, partEntries } from '../platform/facts/log-entries.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** Conversations with the marks and notes of people, as JSON rows, to be kept beside a contact that goes. */
export type KeptConversations = {
  conversations: Record<string, unknown>[];
  marks: Record<string, unknown>[];
  /** Missing in what was kept before there were notes. */
  notes?: Record<string, unknown>[];
  /** Where at services they are talked about. */
  threads?: Record<string, unknown>[];
};

/** What a contact has of conversations, for the undo of what takes the contact away. */
export async function copyConversations(scope: ReadScope, contactId: string): Promise<KeptConversations> {
  const { rows } = await scope.query<KeptConversations>(
    `SELECT (SELECT coalesce(jsonb_agg(to_jsonb(c)), '[]') FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $2) AS conversations,
            (SELECT coalesce(jsonb_agg(to_jsonb(k)), '[]') FROM conversations c JOIN conversation_marks k ON k.conversation_id = c.id
              WHERE c.workspace_id = $1 AND c.contact_id = $2) AS marks,
            (SELECT coalesce(jsonb_agg(to_jsonb(n)), '[]') FROM conversations c JOIN conversation_notes n ON n.conversation_id = c.id
              WHERE c.workspace_id = $1 AND c.contact_id = $2) AS notes`,
    [scope.workspaceId, contactId],
  );
  return rows[0]!; // always one
}

/**
 * Gives the conversations of merged contacts to the one that stays, after their messages: where it has one of the same channel the two
 * become one, which is open if one of them is, has the labels and pins of both, and is assigned as the one that stays, or else the other. Its clock is that of the one that decides its status, or else of whoever
 * waits longer. What they hold is worked out anew once the contact that stays is written.
 */
export async function mergeConversations(
  scope: WorkspaceScope,
  survivorId: string,
  goneIds: readonly string[],
): Promise<void> {
  const { workspaceId } = scope;
  await scope.query(
    'SELECT FROM conversations WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) ORDER BY contact_id, channel_id FOR UPDATE',
    [workspaceId, [survivorId, ...goneIds]],
  );
  // One after the other: the first of a channel moves, those after it join.
  for (const goneId of goneIds) {
    await scope.query(
      `UPDATE conversations g SET contact_id = $2 WHERE g.workspace_id = $1 AND g.contact_id = $3
          AND NOT EXISTS (SELECT FROM conversations s WHERE s.contact_id = $2 AND s.channel_id = g.channel_id)`,
      [workspaceId, survivorId, goneId],
    );
    await scope.query(
      `UPDATE conversations s SET version = s.version + 1, assignee_id = coalesce(s.assignee_id, g.assignee_id),
              team_id = coalesce(s.team_id, g.team_id), is_archived = s.is_archived AND g.is_archived,
              kept_since = greatest(s.kept_since, g.kept_since),
              labels = s.labels || ARRAY(SELECT l FROM unnest(g.labels) AS l WHERE l <> ALL (s.labels)),
              priority = CASE WHEN array_position(${URGENCY}, g.priority) > array_position(${URGENCY}, s.priority) THEN g.priority ELSE s.priority END,
              status = CASE WHEN array_position(${ORDER}, g.status) < array_position(${ORDER}, s.status) THEN g.status ELSE s.status END,
              snoozed_until = CASE WHEN s.status = 'snoozed' AND g.status = 'snoozed' THEN least(s.snoozed_until, g.snoozed_until)
                                   WHEN s.status = 'snoozed' AND g.status = 'resolved' THEN s.snoozed_until
                                   WHEN g.status = 'snoozed' AND s.status = 'resolved' THEN g.snoozed_until END,
              awaits_assignee = coalesce(s.assignee_id, g.assignee_id) IS NULL AND (s.awaits_assignee OR g.awaits_assignee),
              ${CLOCK.map((column) => `${column} = CASE WHEN ${HAS_OTHER_SLA} THEN g.${column} ELSE s.${column} END`).join(', ')}
         FROM conversations g
        WHERE s.workspace_id = $1 AND s.contact_id = $2 AND g.workspace_id = $1 AND g.contact_id = $3 AND g.channel_id = s.channel_id`,
      [workspaceId, survivorId, goneId],
    );
    await scope.query(
      `INSERT INTO conversation_marks (workspace_id, conversation_id, user_id, pinned_at, muted_at)
       SELECT $1, s.id, k.user_id, k.pinned_at, k.muted_at FROM conversations g
         JOIN conversation_marks k ON k.conversation_id = g.id
         JOIN conversations s ON s.contact_id = $2 AND s.channel_id = g.channel_id
        WHERE g.workspace_id = $1 AND g.contact_id = $3
       ON CONFLICT (user_id, conversation_id) DO UPDATE
          SET pinned_at = coalesce(conversation_marks.pinned_at, excluded.pinned_at),
              muted_at = coalesce(conversation_marks.muted_at, excluded.muted_at)`,
      [workspaceId, survivorId, goneId],
    );
    await scope.query(
      `UPDATE conversation_notes n SET conversation_id = s.id FROM conversations g, conversations s
        WHERE n.conversation_id = g.id AND g.workspace_id = $1 AND g.contact_id = $3
          AND s.workspace_id = $1 AND s.contact_id = $2 AND s.channel_id = g.channel_id`,
      [workspaceId, survivorId, goneId],
    );
    const { rows: joined } = await scope.query<{ goneId: string; survivorId: string }>(
      `SELECT g.id AS "goneId", s.id AS "survivorId" FROM conversations g JOIN conversations s ON s.contact_id = $2 AND s.channel_id = g.channel_id
        WHERE g.workspace_id = $1 AND g.contact_id = $3`,
      [workspaceId, survivorId, goneId],
    );
    for (const pair of joined) await joinEntries(scope, pair);
    // One may be more urgent now, or another team's.
    const settled = { conversationIds: joined.map((pair) => pair.survivorId), begun: new Set<string>() };
    await settleSla(scope, { ...settled, aims: true, now: scope.clock() });
    await scope.query('DELETE FROM conversations WHERE workspace_id = $1 AND contact_id = $2', [
      workspaceId,
      goneId,
    ]);
  }
}

/** The most urgent first: of two that become one it decides. */
const ORDER = `ARRAY['open', 'waiting', 'snoozed', 'resolved']`;

const URGENCY = `ARRAY['${conversationPriorities.join("', '")}']`;

const CLOCK = [
  ...['begun_at', 'first_answer_due_at', 'first_answer_soon_at', 'first_answered_at', 'resolution_due_at'],
  ...[
    'resolution_soon_at',
    'resolution_minutes',
    'resolution_left_ms',
    'resolved_at',
    'next_due_at',
    'next_news_at',
  ],
];
const HAS_OTHER_SLA = `(s.begun_at IS NULL OR array_position(${ORDER}, g.status) < array_position(${ORDER}, s.status)
  OR (g.status = s.status AND g.begun_at < s.begun_at))`;

/**
 * Parts what a merge joined, after contact and messages are back: a conversation that moved returns as it is by now, one that was joined comes
 * back as it was. What each of the two holds is worked out anew once their windows are known.
 */
export async function unmergeConversations(
  scope: WorkspaceScope,
  { survivorId, contactId, kept }: { survivorId: string; contactId: string; kept: KeptConversations },
): Promise<void> {
  const { workspaceId } = scope;
  await scope.query(
    `UPDATE conversations SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2
        AND id = ANY (SELECT (k->>'id')::uuid FROM jsonb_array_elements($4::jsonb) AS k)`,
    [workspaceId, survivorId, contactId, JSON.stringify(kept.conversations)],
  );
  await insertConversations(scope, kept);
  const { rows: parted } = await scope.query<{ goneId: string; survivorId: string }>(
    `SELECT g.id AS "goneId", s.id AS "survivorId" FROM conversations g JOIN conversations s ON s.contact_id = $2 AND s.channel_id = g.channel_id
      WHERE g.workspace_id = $1 AND g.contact_id = $3`,
    [workspaceId, survivorId, contactId],
  );
  for (const pair of parted) await partEntries(scope, pair);
}

/** Puts kept conversations back where they are missing; people and channels that are gone meanwhile are left out. */
export async function insertConversations(scope: WorkspaceScope, kept: KeptConversations): Promise<void> {
  if (kept.conversations.length === 0) return;
  const { workspaceId } = scope;
  await scope.query(
    `INSERT INTO conversations SELECT r.* FROM jsonb_populate_recordset(NULL::conversations, (
         SELECT jsonb_agg(k || jsonb_build_object(
           'assignee_id', (SELECT u.id FROM users u WHERE u.id = (k->>'assignee_id')::uuid),
           'team_id', (SELECT t.id FROM teams t WHERE t.id = (k->>'team_id')::uuid),
           'awaits_assignee', coalesce((k->>'awaits_assignee')::boolean, false),
           'priority', coalesce(k->>'priority', 'normal')))
           FROM jsonb_array_elements($2::jsonb) AS k)) AS r
       JOIN contacts p ON p.id = r.contact_id JOIN channels h ON h.id = r.channel_id
      WHERE r.workspace_id = $1 ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(kept.conversations)],
  );
  await scope.query(
    `INSERT INTO conversation_marks SELECT r.* FROM jsonb_populate_recordset(NULL::conversation_marks, $2) AS r
       JOIN conversations c ON c.id = r.conversation_id JOIN users u ON u.id = r.user_id
      WHERE r.workspace_id = $1 ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(kept.marks)],
  );
  // Of a note that went on with the survivor it is the conversation alone: it says what it says by now.
  await scope.query(
    `INSERT INTO conversation_notes AS n SELECT r.* FROM jsonb_populate_recordset(NULL::conversation_notes, (
         SELECT jsonb_agg(k || jsonb_build_object('author_id', (SELECT u.id FROM users u WHERE u.id = (k->>'author_id')::uuid)))
           FROM jsonb_array_elements($2::jsonb) AS k)) AS r
       JOIN conversations c ON c.id = r.conversation_id
      WHERE r.workspace_id = $1 ON CONFLICT (id) DO UPDATE SET conversation_id = excluded.conversation_id`,
    [workspaceId, JSON.stringify(kept.notes ?? [])],
  );
  await scope.query(
    `INSERT INTO connector_threads SELECT r.* FROM jsonb_populate_recordset(NULL::connector_threads, $2) AS r
       JOIN conversations c ON c.id = r.conversation_id
       JOIN webhook_endpoints e ON e.workspace_id = r.workspace_id AND e.id = r.endpoint_id
      WHERE r.workspace_id = $1 ON CONFLICT DO NOTHING`,
    [workspaceId, JSON.stringify(kept.threads ?? [])],
  );
}

/**
 * After the messages of deleted contacts are back. What waited to be sent when they were deleted stays unsent, and of what was in the call
 * nobody knows.
 */
export async function settleRestored(scope: WorkspaceScope, contactIds: readonly string[]): Promise<void> {
  await scope.query(
    `UPDATE messages SET state = CASE state WHEN 'queued' THEN 'cancelled' ELSE 'unknown' END, failed_at = now(),
            error_code = CASE state WHEN 'queued' THEN 'contact_deleted' ELSE 'sender_lost' END, owner = NULL, lease_until = NULL
      WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND state IN ('queued', 'sending')`,
    [scope.workspaceId, contactIds],
  );
  await recountConversations(scope, scope.workspaceId, contactIds);
}

/** Messages of contacts that come back after their deletion, as they were kept. */
export async function restoreMessages(scope: WorkspaceScope, contactIds: readonly string[]): Promise<void> {
  await withoutRollups(scope, () =>
    scope.query(
      `INSERT INTO messages SELECT r.* FROM deleted_contacts k, jsonb_populate_recordset(NULL::messages, k.messages) AS r
        WHERE k.workspace_id = $1 AND k.contact_id = ANY ($2::uuid[]) ON CONFLICT DO NOTHING`,
      [scope.workspaceId, contactIds],
    ),
  );
}
