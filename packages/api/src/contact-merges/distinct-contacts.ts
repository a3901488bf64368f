import { actorOf } from '@app/domain/auth/caller';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/**
 * Stores that these contacts are different people, each from each other, or deletes that. Changes nothing when one of them is
 * gone. Emits `contacts.told_apart` if a pair changed.
 */
export async function setDistinct(
  scope: WorkspaceScope,
  { contactIds, isDistinct }: { contactIds: readonly string[]; isDistinct: boolean },
): Promise<'contact_not_found' | null> {
  const ids = [...new Set(contactIds)].toSorted();
  const { rows } = await scope.query(
    'SELECT id FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
    [scope.workspaceId, ids],
  );
  if (rows.length !== ids.length) return 'contact_not_found';
  const changed = isDistinct ? await addPairs(scope, ids) : await deletePairs(scope, ids);
  if (changed > 0)
    await scope.emit({
      type: 'contacts.told_apart',
      subject: null,
      values: { count: ids.length, isDistinct },
    });
  return null;
}

async function addPairs(scope: WorkspaceScope, ids: readonly string[]): Promise<number> {
  const { rowCount } = await scope.query(
    `INSERT INTO distinct_contacts (workspace_id, first_id, second_id, said_by, said_at)
     SELECT $1, a.id, b.id, $3, $4 FROM unnest($2::uuid[]) AS a (id) JOIN unnest($2::uuid[]) AS b (id) ON a.id < b.id
     ON CONFLICT DO NOTHING`,
    [scope.workspaceId, ids, actorOf(scope.caller).name, scope.clock()],
  );
  return rowCount ?? 0;
}

async function deletePairs(scope: WorkspaceScope, ids: readonly string[]): Promise<number> {
  const { rowCount } = await scope.query(
    `DELETE FROM distinct_contacts d WHERE d.workspace_id = $1 AND ${survivorOf('d.first_id')} = ANY ($2::uuid[])
        AND ${survivorOf('d.second_id')} = ANY ($2::uuid[])`,
    [scope.workspaceId, ids],
  );
  return rowCount ?? 0;
}

/** Of these contacts those of whom at least one pair may still be one person. */
export async function withoutDistinct(scope: ReadScope, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await scope.query<{ first: string; second: string }>(
    `SELECT DISTINCT ${survivorOf('d.first_id')} AS first, ${survivorOf('d.second_id')} AS second FROM distinct_contacts d
      WHERE d.workspace_id = $1 AND ((d.first_id = ANY ($2::uuid[]) OR d.second_id = ANY ($2::uuid[]))
         OR EXISTS (SELECT FROM merged_contacts m WHERE m.workspace_id = $1 AND m.survivor_id = ANY ($2::uuid[])
                      AND m.contact_id IN (d.first_id, d.second_id)))`,
    [scope.workspaceId, ids],
  );
  const apart = new Set(rows.flatMap(({ first, second }) => [`${first} ${second}`, `${second} ${first}`]));
  return new Set(ids.filter((id) => ids.some((other) => other !== id && !apart.has(`${id} ${other}`))));
}

/** Whoever was merged is the survivor, for as long as nobody takes the merge back. */
const survivorOf = (id: string) =>
  `coalesce((SELECT m.survivor_id FROM merged_contacts m WHERE m.workspace_id = d.workspace_id AND m.contact_id = ${id}), ${id})`;

/** With the people who are erased go all pairs in which they stand. */
export async function deleteDistinct(scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
  await scope.query(
    'DELETE FROM distinct_contacts WHERE workspace_id = $1 AND (first_id = ANY ($2::uuid[]) OR second_id = ANY ($2::uuid[]))',
    [scope.workspaceId, ids],
  );
}
