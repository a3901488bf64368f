import type { Person, PersonData } from '../platform/person-data/person-data.ts';
import { deleteDistinct } from './distinct-contacts.ts';
import { readAtOnce } from '../platform/person-data/read-section.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export const mergesPersonData: PersonData = {
  tables: {
    contact_merges: {
      section: 'merges',
      read: readAtOnce(
        `SELECT merged_at AS "mergedAt", undone_at AS "undoneAt", user_name AS "mergedBy", names AS "mergedNames", before AS "contactBefore"
           FROM contact_merges WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[]) ORDER BY merged_at, id`,
        ({ ids }) => [ids],
      ),
    },
    contact_merge_parts: {
      section: 'mergedContacts',
      read: readAtOnce(
        `SELECT m.merged_at AS "mergedAt", p.contact FROM contact_merge_parts p
           JOIN contact_merges m ON m.workspace_id = p.workspace_id AND m.id = p.merge_id
          WHERE p.workspace_id = $1 AND p.contact_id = ANY ($2::uuid[]) ORDER BY m.merged_at, p.contact_id`,
        ({ ids }) => [ids],
      ),
    },
    contact_aliases: {
      section: 'otherNumbers',
      read: readAtOnce(
        `SELECT identifier AS "numberOrPlatformId", until FROM contact_aliases
          WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) ORDER BY identifier`,
        ({ ids }) => [ids],
      ),
    },
    distinct_contacts: {
      leftOut: 'which contacts staff called different people: ids of contacts, and who said it',
    },
    merged_contacts: { leftOut: 'ids of contacts that are gone; who they were stands in the merges' },
  },
  identify,
  erase,
  // What a merge leaves in these tables is written by the merge itself.
  ...{ merge: null, unmerge: null },
};

/**
 * Whoever was merged into the contact, or into an earlier one of the person, is the same person, with names and numbers that are kept
 * for the undo. A number that somebody else has by now is theirs.
 */
async function identify(scope: ReadScope, { contactId, ids: known }: Person) {
  const { workspaceId } = scope;
  const { rows: merged } = await scope.query<{ contact_id: string }>(
    'SELECT contact_id FROM merged_contacts WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[])',
    [workspaceId, known],
  );
  const ids = merged.map((row) => row.contact_id);
  const { rows: kept } = await scope.query<{ name: string | null; identifiers: string[] }>(
    `SELECT k.row->>'name' AS name,
            ARRAY(SELECT one FROM unnest(ARRAY[k.row->>'phone', k.row->>'platform_user_id']) AS one
                   WHERE one IS NOT NULL AND NOT EXISTS (SELECT FROM contacts o
                     WHERE o.workspace_id = $1 AND o.id <> $3 AND (o.phone = one OR o.platform_user_id = one))) AS identifiers
       FROM (
         SELECT contact AS row FROM contact_merge_parts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])
         UNION ALL SELECT before FROM contact_merges WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[]) AND before IS NOT NULL
         UNION ALL SELECT jsonb_build_object('name', name) FROM contact_merges, unnest(names) AS name
                    WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[])
         UNION ALL SELECT jsonb_build_object('phone', identifier) FROM contact_aliases
                    WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])) AS k`,
    [workspaceId, [...known, ...ids], contactId],
  );
  return {
    ids,
    identifiers: kept.flatMap(({ identifiers }) => identifiers),
    names: kept.flatMap(({ name }) => name ?? []),
  };
}

/** Also of merges that took in an earlier contact with one of the numbers: they cannot be undone any more. */
async function erase(scope: WorkspaceScope, { ids, identifiers }: Person): Promise<void> {
  const { workspaceId } = scope;
  await deleteDistinct(scope, ids);
  await scope.query('DELETE FROM contact_merges WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[])', [
    workspaceId,
    ids,
  ]);
  await scope.query(
    'DELETE FROM merged_contacts WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[])',
    [workspaceId, ids],
  );
  await scope.query(
    'DELETE FROM contact_aliases WHERE workspace_id = $1 AND (contact_id = ANY ($2::uuid[]) OR identifier = ANY ($3::text[]))',
    [workspaceId, ids, identifiers],
  );
  await scope.query(
    `WITH concerned AS (
       SELECT merge_id AS id FROM contact_merge_parts WHERE workspace_id = $1
          AND (contact->>'phone' = ANY ($2::text[]) OR contact->>'platform_user_id' = ANY ($2::text[]))
       UNION SELECT id FROM contact_merges WHERE workspace_id = $1
          AND (before->>'phone' = ANY ($2::text[]) OR before->>'platform_user_id' = ANY ($2::text[]))),
     parts AS (DELETE FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id IN (SELECT id FROM concerned))
     UPDATE contact_merges SET before = NULL, after = NULL, names = '{}', moved = '{}'
      WHERE workspace_id = $1 AND id IN (SELECT id FROM concerned)`,
    [workspaceId, identifiers],
  );
}
