import type { AssignmentRule } from '../inbox-settings.ts';

/** Somebody who may get a conversation: is here, wants some, and may answer. */
export type Candidate = {
  userId: string;
  /** How many conversations of theirs are open. */
  open: number;
  /** The number of the last turn in which they got one; null before the first. */
  lastTurn: number | null;
};

/**
 * Who gets the next conversation; null where nobody is there or all have as many as they may. In turn: whoever got none for the longest
 * time. By work: whoever has the fewest open, and of those in turn. The same people in any order give the same answer.
 */
export function chooseAssignee(
  { mode, maxOpen }: AssignmentRule,
  candidates: readonly Candidate[],
): string | null {
  if (mode === 'off') return null;
  const free = candidates.filter(({ open }) => maxOpen === null || open < maxOpen);
  const [first] = free.toSorted(
    (one, other) =>
      (mode === 'least_busy' ? one.open - other.open : 0) ||
      (one.lastTurn ?? 0) - (other.lastTurn ?? 0) ||
      (one.userId < other.userId ? -1 : 1),
  );
  return first?.userId ?? null;
}
