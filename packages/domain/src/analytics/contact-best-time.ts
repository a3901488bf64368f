/** Reads and replies of one hour each, from midnight on: 24 of them. */
export type HourCounts = readonly number[];

export type ContactBestTime = {
  /** Of each hour, how likely a message is read in it; together 1. */
  shares: number[];
  /** The hour (0 to 23) in which one is read most likely; null where nobody has read anything yet. */
  best: number | null;
  /** Reads and replies of the contact. */
  events: number;
  /** How much of it is what the contact did (1), and how much what everybody does (0). */
  weight: number;
};

/** What everybody does counts like so many reads of the contact: with as many of their own, both weigh the same. */
export const PRIOR_EVENTS = 10;
/** A habit is no matter of minutes: each event speaks for the hours beside its own, too. */
const KERNEL = [0.25, 0.5, 0.25] as const;

/**
 * When a contact reads, learnt from their own reads and replies, with those of everybody as the prior: a contact without any is like everybody, and one
 * with hundreds like themself. Without both, every hour is alike.
 */
export function learnBestTime(own: HourCounts, everybody: HourCounts): ContactBestTime {
  const events = sum(own);
  const prior = sum(everybody) === 0 ? own.map(() => 1 / own.length) : shareOf(smooth(everybody));
  const mine = smooth(own);
  const shares = prior.map(
    (share, hour) => ((mine[hour] ?? 0) + PRIOR_EVENTS * share) / (events + PRIOR_EVENTS),
  );
  const isAlike = events === 0 && sum(everybody) === 0;
  return {
    shares,
    best: isAlike ? null : shares.indexOf(Math.max(...shares)),
    events,
    weight: events / (events + PRIOR_EVENTS),
  };
}

/** Over midnight as well. */
function smooth(counts: HourCounts): number[] {
  const at = (hour: number) => counts[(hour + counts.length) % counts.length] ?? 0;
  return counts.map((_, hour) => KERNEL.reduce((all, part, place) => all + part * at(hour + place - 1), 0));
}

function shareOf(counts: HourCounts): number[] {
  const all = sum(counts);
  return counts.map((count) => count / all);
}

function sum(counts: HourCounts): number {
  return counts.reduce((all, count) => all + count, 0);
}
