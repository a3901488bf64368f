import { holdoutOf } from './holdout.ts';
import {
  detectableDifference,
  differenceByChance,
  pairsOf,
  requiredSample,
  SIGNIFICANCE,
  type Proportion,
} from './proportions.ts';

/** What decides about the winner: the share of delivered messages that were read, replied to, clicked or led to a conversion. */
export const abMetrics = ['read', 'reply', 'click', 'conversion'] as const;
export type AbMetric = (typeof abMetrics)[number];

/** Who sends the winner to the remaining contacts: the product as soon as it is known, or a person. */
export const abDeciders = ['automatic', 'person'] as const;
export type AbDecider = (typeof abDeciders)[number];

export const abLimits = {
  /** With the message of the campaign itself. */
  variants: 4,
  /** Hours from the delivery within which a read or a reply counts. A reply is one within 24 hours everywhere in the product. */
  window: { least: 1, most: 168, usual: 24, mostReply: 24 },
  holdoutPercent: 50,
} as const;

/** The rule as it is stated before the start; all shares are percents. */
export type AbRule = {
  metric: AbMetric;
  /** What the metric is expected to be. */
  expectedRate: number;
  /** The smallest difference that is worth finding, in percentage points. */
  smallestDifference: number;
  windowHours: number;
  /** Of everybody who may get the campaign: they get nothing, and show what happens without it. */
  holdoutPercent: number;
  decides: AbDecider;
};

/** What a rule comes to for an audience. */
export type AbPlan = {
  /** How many delivered messages each variant needs before a winner may be named. */
  sample: number;
  /** How many contacts take part in the test. */
  testSize: number;
  /** About how many are held out. */
  holdout: number;
  /** About how many get the winner. */
  remaining: number;
  /** The audience does not reach the sample: all take part, and no winner can be named unless more is delivered than expected. */
  isTooSmall: boolean;
  /** The smallest difference, in percentage points, that this audience can show; null for none at all. */
  detectable: number | null;
};

/** Messages that do not arrive must not keep a test from its sample: it sends as if at least so many percent failed. */
const LEAST_FAILING = 0.05;

/**
 * Plans a test before its start.
 * @param shares of the variants within the test, in percent, the first that of the campaign's own message; they sum up to 100
 * @param deliveryRate the share of messages that arrived so far, within [0, 1]
 */
export function planAbTest(
  { expectedRate, smallestDifference, holdoutPercent }: Omit<AbRule, 'metric' | 'windowHours' | 'decides'>,
  { receiving, shares, deliveryRate }: { receiving: number; shares: readonly number[]; deliveryRate: number },
): AbPlan {
  const variants = shares.length;
  const rate = expectedRate / 100;
  const sample = requiredSample({ rate, difference: smallestDifference / 100, variants });
  const holdout = holdoutOf(receiving, holdoutPercent);
  const room = receiving - holdout;
  const arriving = Math.min(1 - LEAST_FAILING, Math.max(0.5, deliveryRate));
  const smallestShare = Math.min(...shares) / 100;
  const needed = Math.ceil(sample / (arriving * smallestShare));
  const isTooSmall = needed > room;
  const testSize = isTooSmall ? room : needed;
  const reached = Math.floor(room * smallestShare * arriving);
  const detectable = detectableDifference({ rate, sample: reached, variants });
  return {
    ...{ sample, testSize, holdout, remaining: room - testSize, isTooSmall },
    detectable: detectable === null ? null : detectable * 100,
  };
}

/** What the figures of a test that is over come to. */
export type AbVerdict =
  | { outcome: 'winner'; variant: number }
  /** The sample was not reached: nobody wins. */
  | { outcome: 'too_few' }
  /** The best is not clearly better than every other one. */
  | { outcome: 'no_difference' };

/** Names the winner: the best variant, when each has the planned sample and it beats every other one beyond chance. */
export function judgeAbTest(figures: readonly Proportion[], sample: number): AbVerdict {
  if (figures.some(({ base }) => base < sample)) return { outcome: 'too_few' };
  const rates = figures.map(({ base, hits }) => hits / base);
  const variant = rates.indexOf(Math.max(...rates));
  const best = figures[variant];
  const threshold = SIGNIFICANCE / pairsOf(figures.length);
  const isClear =
    best !== undefined &&
    figures.every((one, index) => index === variant || differenceByChance(best, one) < threshold);
  return isClear ? { outcome: 'winner', variant } : { outcome: 'no_difference' };
}

/**
 * In which order variants take turns, so that each has its share of any stretch of the test and none is sent before the others: a smooth weighted
 * round, at most 100 places long. Place `n` of the test gets `pattern[n % length]`.
 */
export function turnsOf(shares: readonly number[]): number[] {
  const divisor = shares.reduce(greatestDivisor);
  const weights = shares.map((share) => share / divisor);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const credit = weights.map(() => 0);
  return Array.from({ length: total }, () => {
    weights.forEach((weight, index) => (credit[index] = (credit[index] ?? 0) + weight));
    const next = credit.indexOf(Math.max(...credit));
    credit[next] = (credit[next] ?? 0) - total;
    return next;
  });
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
