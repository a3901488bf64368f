import type { SqlQueries } from '../sql-queries.ts';

/** Contacts that are gone for good take along what merges left of them. */
export async function deleteMergesOf(
  client: SqlQueries,
  contacts: readonly { workspaceId: string; contactId: string }[],
): Promise<void> {
  await client.query(
    `WITH gone AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS g (workspace_id, contact_id)),
     merges AS (DELETE FROM contact_merges m USING gone g WHERE m.workspace_id = g.workspace_id AND m.survivor_id = g.contact_id),
     pairs AS (DELETE FROM distinct_contacts d USING gone g
                WHERE d.workspace_id = g.workspace_id AND g.contact_id IN (d.first_id, d.second_id)),
     aliases AS (DELETE FROM contact_aliases a USING gone g WHERE a.contact_id = g.contact_id)
     DELETE FROM merged_contacts m USING gone g WHERE m.survivor_id = g.contact_id`,
    [contacts.map(({ workspaceId }) => workspaceId), contacts.map(({ contactId }) => contactId)],
  );
}

/** Forgets what an undo would need that is not possible any more. The entry of the timeline stays. */
export async function deleteUndosOfMerges(client: SqlQueries, before: Date): Promise<void> {
  await client.query(
    `WITH old AS (UPDATE contact_merges SET before = NULL, after = NULL, moved = '{}'
                   WHERE merged_at < $1 AND before IS NOT NULL RETURNING workspace_id, id)
     DELETE FROM contact_merge_parts p USING old WHERE p.workspace_id = old.workspace_id AND p.merge_id = old.id`,
    [before],
  );
}
