import { useState } from 'react';

/** Rows picked one by one, or everything that matches the search and filters but for some. */
type Picked = { ids: ReadonlySet<string> } | { excluded: ReadonlySet<string> };

const NOTHING: Picked = { ids: new Set() };

export type ListSelection = ReturnType<typeof useListSelection>;

/** A selection belongs to the list it was made in: `of` names its search and filters. */
export function useListSelection(of: string, rows: readonly { id: string }[]) {
  const [kept, setKept] = useState<{ of: string; picked: Picked }>();
  const picked = kept?.of === of ? kept.picked : NOTHING;
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
