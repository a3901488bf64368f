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

type KnownAs = { workspaceId: string; contactId: string; knownAs: string };

/**
 * By which number the platform knows a contact, as its answer to a message says: what is written from there is theirs. A contact that has this number itself
 * keeps it, and so does who is known by it already.
 */
export async function rememberKnownAs(
  client: Pick<SqlQueries, 'query'>,
  known: readonly KnownAs[],
): Promise<void> {
  await client.query(
    `INSERT INTO contact_aliases AS a (workspace_id, identifier, contact_id, merge_id)
     SELECT DISTINCT ON (k.workspace_id, k.identifier) k.workspace_id, k.identifier, c.id, gen_random_uuid()
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS k (workspace_id, contact_id, identifier)
       JOIN contacts c ON c.workspace_id = k.workspace_id AND c.id = k.contact_id
      WHERE NOT EXISTS (SELECT FROM contacts o WHERE o.workspace_id = k.workspace_id AND o.phone = k.identifier)
     ON CONFLICT (workspace_id, identifier) DO UPDATE
        SET contact_id = excluded.contact_id, merge_id = excluded.merge_id, until = NULL WHERE a.until < now()`,
    [
      known.map(({ workspaceId }) => workspaceId),
      known.map(({ contactId }) => contactId),
      known.map(({ knownAs }) => knownAs),
    ],
  );
}
