/** How a channel behaves that answers nothing; a value, changed by results. */
export type Trouble = {
  /** Results without an answer in a row, of messages that left after the last hold. */
  inARow: number;
  /** Holds in a row without an answer between them. */
  holds: number;
  /** Messages that left before say nothing new. */
  since: number;
};

export const noTrouble: Trouble = { inARow: 0, holds: 0, since: 0 };

const troubleFrom = 10;
const shortestHoldMs = 1_000;
const longestHoldMs = 60_000;
/** Messages in flight at most while it is not known whether the platform is back. */
const probes = 2;

/**
 * Notes a result without an answer, of a message that left at `leftAt`. A platform that is down must not put an audience in
 * doubt: after ten such results in a row nothing leaves for a while, then two messages try whether it is back.
 */
export function noteTrouble(
  trouble: Trouble,
  leftAt: number,
  now: number,
): { trouble: Trouble; holdMs: number | null } {
  if (leftAt < trouble.since) return { trouble, holdMs: null };
  const inARow = trouble.inARow + 1;
  if (inARow < (trouble.holds === 0 ? troubleFrom : probes))
    return { trouble: { ...trouble, inARow }, holdMs: null };
  const holdMs = Math.min(longestHoldMs, shortestHoldMs * 2 ** trouble.holds);
  return { trouble: { inARow: 0, holds: trouble.holds + 1, since: now + holdMs }, holdMs };
}

/** The platform answered, whatever it said. */
export function noteAnswer(trouble: Trouble): Trouble {
  return trouble.inARow === 0 && trouble.holds === 0 ? trouble : { ...noTrouble, since: trouble.since };
}

export function mostInFlight(trouble: Trouble, usual: number): number {
  return trouble.holds > 0 ? Math.min(probes, usual) : usual;
}
