import type { SqlQueries } from '../sql-queries.ts';

type Removed = { workspaceId: string; fieldId: string; most: number };

/** Takes the values of a removed field out of some contacts; rows that somebody is writing are left for the next run. Answers with how many it were. */
export async function takeOutOfContacts(
  client: SqlQueries,
  { workspaceId, fieldId, most }: Removed,
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE contacts SET custom_values = custom_values - $2::text WHERE id = ANY(ARRAY(
       SELECT id FROM contacts WHERE workspace_id = $1 AND custom_values <> '{}' AND custom_values ? $2::text
        LIMIT $3 FOR UPDATE SKIP LOCKED))`,
    [workspaceId, fieldId, most],
  );
  return rowCount ?? 0;
}
