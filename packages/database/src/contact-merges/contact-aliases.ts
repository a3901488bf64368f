import { newId } from '../new-id.ts';
import type { SqlQueries } from '../sql-queries.ts';

type Former = { contactId: string; identifiers: readonly string[]; until: Date | null };

/** Numbers and ids that a contact had: what comes from one of them up to then is still theirs; without an end, for good. */
export async function rememberFormer(
  client: SqlQueries,
  workspaceId: string,
  { contactId, identifiers, until }: Former,
): Promise<void> {
  await client.query(
    `INSERT INTO contact_aliases (workspace_id, identifier, contact_id, merge_id, until)
     SELECT $1, identifier, $2, $3, $4 FROM unnest($5::text[]) AS identifier
     ON CONFLICT (workspace_id, identifier) DO UPDATE
        SET contact_id = excluded.contact_id, merge_id = excluded.merge_id, until = excluded.until`,
    [workspaceId, contactId, newId(), until, identifiers],
  );
}
