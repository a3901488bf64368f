import type { SqlQueries } from '../sql-queries.ts';

/**
 * Writes what came of the time since these conversations were opened last, once somebody answered or resolved them, and again when that
 * changes: a row for each round, which stays when the next begins. `by` is who resolves, if a person does.
 */
export async function storeSlaRounds(
  client: SqlQueries,
  conversationIds: readonly string[],
  by: string | null,
): Promise<void> {
  if (conversationIds.length === 0) return;
  await client.query({ name: 'conversations_keep_rounds', text: KEEP, values: [conversationIds, by] });
}

/** Whoever answered is known after the answer itself is kept no more. */
const ANSWERED_BY = `CASE WHEN r.first_answered_at = excluded.first_answered_at THEN coalesce(excluded.first_answer_by, r.first_answer_by)
      ELSE excluded.first_answer_by END`;

const KEEP = `INSERT INTO conversation_rounds AS r (workspace_id, conversation_id, opened_at, first_answered_at, first_answer_due_at,
    first_answer_by, resolved_at, resolution_due_at, resolved_by, assignee_id, team_id, channel_id, priority, is_answered_in_time,
    is_resolved_in_time)
  SELECT c.workspace_id, c.id, c.begun_at, c.first_answered_at, c.first_answer_due_at,
         (SELECT m.author_id::uuid FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id AND m.direction = 'out'
             AND is_said(m) AND m.author = 'person' AND m.occurred_at = c.first_answered_at ORDER BY m.id LIMIT 1),
         c.resolved_at, c.resolution_due_at, CASE WHEN c.resolved_at IS NOT NULL THEN $2::uuid END, c.assignee_id, c.team_id, c.channel_id,
         c.priority, CASE WHEN c.first_answer_due_at IS NOT NULL THEN c.first_answered_at <= c.first_answer_due_at END,
         CASE WHEN c.resolution_due_at IS NOT NULL AND c.resolved_at IS NOT NULL THEN c.resolution_left_ms IS NOT NULL END
    FROM conversations c
   WHERE c.id = ANY ($1::uuid[]) AND c.begun_at IS NOT NULL AND (c.first_answered_at IS NOT NULL OR c.resolved_at IS NOT NULL
      OR EXISTS (SELECT FROM conversation_rounds k WHERE k.conversation_id = c.id AND k.opened_at = c.begun_at))
  ON CONFLICT (conversation_id, opened_at) DO UPDATE SET
    first_answered_at = excluded.first_answered_at, first_answer_due_at = excluded.first_answer_due_at,
    first_answer_by = ${ANSWERED_BY}, resolved_at = excluded.resolved_at, resolution_due_at = excluded.resolution_due_at,
    resolved_by = CASE WHEN r.resolved_at = excluded.resolved_at THEN r.resolved_by ELSE excluded.resolved_by END,
    assignee_id = excluded.assignee_id, team_id = excluded.team_id, priority = excluded.priority,
    is_answered_in_time = excluded.is_answered_in_time, is_resolved_in_time = excluded.is_resolved_in_time`;
