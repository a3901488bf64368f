import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export type TagChange = { contactId: string; before: readonly string[]; after: readonly string[] };

/** So many contacts stand in one fact; of more there are several. */
const MOST_OF_ONE = 500;

/** Says which tags contacts got and lost, in the transaction of the change: one fact for all whose tags changed alike. */
export async function emitTagChanges(scope: WorkspaceScope, changes: readonly TagChange[]): Promise<void> {
  const changed = changes
    .map(({ contactId, before, after }) => ({
      contactId,
      added: missingIn(before, after),
      removed: missingIn(after, before),
    }))
    .filter(({ added, removed }) => added.length > 0 || removed.length > 0);
  const alike = Map.groupBy(changed, ({ added, removed }) => JSON.stringify([added, removed]));
  await scope.emitMany(
    [...alike.values()].flatMap((all) => {
      const { added, removed } = all[0]!; // groups are not empty
      const ids = all.map(({ contactId }) => contactId);
      return slicesOf(ids).map((contactIds) => ({
        type: 'contacts.tags_changed' as const,
        subject: null,
        values: { contactIds, added, removed },
      }));
    }),
  );
}

/** A tag that is written otherwise in capitals is the same tag. */
function missingIn(tags: readonly string[], others: readonly string[]): string[] {
  const known = new Set(tags.map((tag) => tag.toLowerCase()));
  return others.filter((tag) => !known.has(tag.toLowerCase())).toSorted();
}

function slicesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MOST_OF_ONE) }, (_, place) =>
    ids.slice(place * MOST_OF_ONE, (place + 1) * MOST_OF_ONE),
  );
}
