import { useEffect, useMemo, useState, useTransition } from 'react';

/** So many rows come into the page between two frames. */
const SLICE = 12;

type Edges = { first: string | undefined; last: string | undefined };
type Named = { id: string };

/** What of `items` stands between the edges; a few more at an end are there at once, and so is all where an edge is gone. */
export function shownBetween<Item extends Named>(
  items: readonly Item[],
  { first, last }: Edges,
): { from: number; until: number } {
  const from = items.findIndex(({ id }) => id === first);
  const end = items.findLastIndex(({ id }) => id === last);
  return {
    from: from <= SLICE ? 0 : from,
    until: end === -1 || items.length - 1 - end <= SLICE ? items.length : end + 1,
  };
}

/** The edges one step further out. */
export function widen(items: readonly Named[], { from, until }: { from: number; until: number }): Edges {
  return {
    first: items[Math.max(0, from - SLICE)]?.id,
    last: items[Math.min(items.length, until + SLICE) - 1]?.id,
  };
}

/**
 * Items that come as a page at either end of those that are shown are put in a few at a time, a slice before each frame, so that no frame waits
 * for a whole page of rows. What takes the place of everything, such as after a jump, is there at once.
 */
export function useInSlices<Item extends Named>(
  items: readonly Item[],
): { shown: readonly Item[]; isWhole: boolean } {
  const [edges, setEdges] = useState<Edges>({ first: items[0]?.id, last: items.at(-1)?.id });
  const { from, until } = shownBetween(items, edges);
  const next = widen(items, { from, until });
  const isStill = next.first === edges.first && next.last === edges.last;
  const isWhole = from === 0 && until === items.length;
  // Nothing is left to be put in: the edges are noted without another drawing.
  if (isWhole && !isStill) setEdges({ first: next.first, last: next.last });
  const [isPlacing, startPlacing] = useTransition();
  useEffect(() => {
    if (isStill || isWhole || isPlacing) return undefined;
    const frame = requestAnimationFrame(() =>
      startPlacing(() => setEdges({ first: next.first, last: next.last })),
    );
    return () => cancelAnimationFrame(frame);
  }, [isStill, isWhole, isPlacing, next.first, next.last]);
  const shown = useMemo(() => (isWhole ? items : items.slice(from, until)), [isWhole, items, from, until]);
  return { shown, isWhole };
}
