import type { SqlQueries } from '../sql-queries.ts';

/** What the list of contacts shows of a message of ours, unless a newer one is there. */
export async function showLastMessage(
  client: SqlQueries,
  { contactId, text, at }: { contactId: string; text: string; at: Date },
): Promise<void> {
  await client.query(
    `UPDATE contacts SET last_message = $2, last_message_at = $3
      WHERE id = $1 AND (last_message_at IS NULL OR last_message_at <= $3)`,
    [contactId, text, at],
  );
}

/** The list of contacts does not say what is kept no more; when it was said stays. */
export async function clearLastMessages(
  client: SqlQueries,
  { workspaceId, contactIds, before }: { workspaceId: string; contactIds: readonly string[]; before: Date },
): Promise<void> {
  await client.query(
    `UPDATE contacts SET last_message = NULL
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND last_message_at < $3 AND last_message IS NOT NULL`,
    [workspaceId, contactIds, before],
  );
}
