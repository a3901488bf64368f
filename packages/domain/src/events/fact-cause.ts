/** What led to a fact: another fact, or the run of an automation or bot. `depth` is how many facts and runs led to that one. */
export type Cause = { kind: 'fact' | 'run'; id: string; depth: number };

/**
 * Facts that lead to facts that lead to facts: at some point it is a loop. From this depth on a fact is stored like any other, and starts
 * nothing any more.
 */
export const FACT_DEPTH_LIMIT = 16;

/** The largest depth that a row can hold. */
const DEEPEST = 32_767;

/** The depth of what this cause leads to. It never fails: what happened is stored, however long the chain that led to it. */
export function depthAfter(cause: Cause | null): number {
  return cause ? Math.min(cause.depth + 1, DEEPEST) : 0;
}

/** Whether something of this depth starts nothing any more. Whoever would start a run, a message or a call asks this first. */
export function isAtDepthLimit({ depth }: { depth: number }): boolean {
  return depth >= FACT_DEPTH_LIMIT;
}

/** A stored cause, or null for anything that is none. */
export function readCause(stored: unknown): Cause | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, id, depth } = stored as Partial<Record<keyof Cause, unknown>>;
  if ((kind !== 'fact' && kind !== 'run') || typeof id !== 'string' || typeof depth !== 'number') return null;
  return { kind, id, depth };
}
