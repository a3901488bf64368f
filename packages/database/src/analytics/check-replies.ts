import type { SqlQueries } from '../sql-queries.ts';

/** Has what these contacts wrote compared once more with what they got, where it is one contact's by now; behind the commit. */
export async function checkReplies(client: SqlQueries, contactIds: readonly string[]): Promise<void> {
  await client.query(
    `INSERT INTO reply_checks (workspace_id, of_runs, message_id)
     SELECT m.workspace_id, k.of_runs, m.id FROM messages m CROSS JOIN (VALUES (true), (false)) AS k (of_runs)
      WHERE m.contact_id = ANY ($1::uuid[]) AND m.direction = 'in' AND is_said(m)`,
    [contactIds],
  );
}
