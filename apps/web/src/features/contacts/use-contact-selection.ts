import { useState } from 'react';
import type { ContactChoice } from '../contact-removals/bulk-removal.ts';
import { readFilter, type Contact } from '../../shared/contacts/contacts-queries.ts';

/** Rows picked one by one, or everybody who matches the search and filter but for some. */
type Picked = { ids: ReadonlySet<string> } | { excluded: ReadonlySet<string> };

const NOBODY: Picked = { ids: new Set() };

export type ContactSelection = ReturnType<typeof useContactSelection>;

/** A selection belongs to the list it was made in: `of` names its search and filter. */
export function useContactSelection(of: string, rows: readonly Contact[]) {
  const [kept, setKept] = useState<{ of: string; picked: Picked }>();
  const picked = kept?.of === of ? kept.picked : NOBODY;
  const selected =
    'ids' in picked ? picked.ids : new Set(rows.map(({ id }) => id).filter((id) => !picked.excluded.has(id)));

  function change(next: ReadonlySet<string>): void {
    if ('ids' in picked || next.size === 0) return setKept({ of, picked: { ids: next } });
    const loaded = new Set(rows.map(({ id }) => id));
    const unloaded = [...picked.excluded].filter((id) => !loaded.has(id));
    const unselected = [...loaded].filter((id) => !next.has(id));
    setKept({ of, picked: { excluded: new Set([...unloaded, ...unselected]) } });
  }

  return {
    selected,
    /** Null while rows are picked one by one. */
    excluded: 'excluded' in picked ? picked.excluded : null,
    change,
    selectAll: () => setKept({ of, picked: { excluded: new Set() } }),
    clear: () => setKept(undefined),
  };
}

/** The search and filter of the list in the words of the server. */
export function filterWords({ search, filter }: { search: string; filter: string }) {
  return { ...(search && { search }), ...readFilter(filter) };
}

/** Whom an act on the selection means. */
export function choiceOf(
  { selected, excluded }: Pick<ContactSelection, 'selected' | 'excluded'>,
  words: ReturnType<typeof filterWords>,
): ContactChoice {
  if (excluded === null) return { contactIds: [...selected] };
  return { filter: words, ...(excluded.size > 0 && { excludedIds: [...excluded] }) };
}
