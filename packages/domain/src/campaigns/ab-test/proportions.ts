/** A share of people: `hits` of `base`. */
export type Proportion = { base: number; hits: number };

/** The chance of a false winner, and of finding a difference that is there. */
export const SIGNIFICANCE = 0.05;
export const POWER = 0.8;

/** Of fewer people the normal distribution, and with it everything below, says too little. */
export const LEAST_SAMPLE = 30;

/** The area of the standard normal distribution below `z`, to seven digits (Abramowitz and Stegun, 26.2.17). */
export function normalArea(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? 1 - tail : tail;
}

/** The `z` below which this area lies, for an area within (0, 1): bisection, to nine digits of `normalArea`. */
export function normalQuantile(area: number): number {
  if (!(area > 0 && area < 1)) throw new RangeError('An area lies between 0 and 1.');
  let [low, high] = [-9, 9];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalArea(middle) < area) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** How many pairs are compared among so many variants: each comparison gets its part of the significance (Bonferroni). */
export function pairsOf(variants: number): number {
  return (variants * (variants - 1)) / 2;
}

/**
 * How many people each variant needs, so that a two-sided test of two proportions finds a difference of `difference` from `rate` with the
 * power above (Fleiss, Statistical Methods for Rates and Proportions, without continuity correction), and at least `LEAST_SAMPLE`. Both are shares
 * within (0, 1); the larger number of the two directions counts.
 */
export function requiredSample({
  rate,
  difference,
  variants,
}: {
  rate: number;
  difference: number;
  variants: number;
}): number {
  const alpha = normalQuantile(1 - SIGNIFICANCE / (2 * pairsOf(variants)));
  const beta = normalQuantile(POWER);
  const others = [rate + difference, rate - difference].filter((other) => other >= 0 && other <= 1);
  const sizes = others.map((other) => {
    const mean = (rate + other) / 2;
    const spread =
      alpha * Math.sqrt(2 * mean * (1 - mean)) + beta * Math.sqrt(rate * (1 - rate) + other * (1 - other));
    return Math.ceil((spread / difference) ** 2);
  });
  return Math.max(LEAST_SAMPLE, ...sizes);
}

/** The smallest difference from `rate` that so many people for each variant can show; null when there is none. */
export function detectableDifference({
  rate,
  sample,
  variants,
}: {
  rate: number;
  sample: number;
  variants: number;
}): number | null {
  let [low, high] = [0, Math.max(rate, 1 - rate)];
  const isEnough = (difference: number) => requiredSample({ rate, difference, variants }) <= sample;
  if (!isEnough(high * 0.999)) return null;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The interval within which the true share lies with a certainty of 95 % (Wilson). */
export function confidenceInterval({ base, hits }: Proportion): { low: number; high: number } | null {
  if (base === 0) return null;
  const z = normalQuantile(1 - SIGNIFICANCE / 2);
  const share = hits / base;
  const divisor = 1 + (z * z) / base;
  const middle = (share + (z * z) / (2 * base)) / divisor;
  const reach = (z / divisor) * Math.sqrt((share * (1 - share)) / base + (z * z) / (4 * base * base));
  return { low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}

/** How likely a difference this large is without a true one: the two-sided z-test with the pooled share. 1 when nothing can be said. */
export function differenceByChance(one: Proportion, other: Proportion): number {
  if (one.base === 0 || other.base === 0) return 1;
  const pooled = (one.hits + other.hits) / (one.base + other.base);
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / one.base + 1 / other.base));
  if (spread === 0) return 1;
  const z = Math.abs(one.hits / one.base - other.hits / other.base) / spread;
  return 2 * (1 - normalArea(z));
}
