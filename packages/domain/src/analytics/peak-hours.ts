/** Hours of a day: from the first up to, not including, the other; it may go over midnight (22 to 2). 24 is the end of a day. */
export type PeakHours = { from: number; to: number };

/** With fewer reads than these a peak is chance. */
export const LEAST_READS = 20;

/**
 * When people read most: of all stretches of hours in a row that are each above the average of the day, the one with the most reads. Null
 * where there is too little to say, or every hour is alike.
 */
export function findPeakHours(reads: readonly number[]): PeakHours | null {
  const total = reads.reduce((sum, one) => sum + one, 0);
  const hours = reads.length;
  if (total < LEAST_READS) return null;
  const isHigh = reads.map((one) => one > total / hours);
  let best: { from: number; length: number; sum: number } | null = null;
  for (let from = 0; from < hours; from += 1) {
    if (!isHigh[from] || isHigh[(from + hours - 1) % hours]) continue;
    let length = 0;
    let sum = 0;
    while (length < hours && isHigh[(from + length) % hours]) {
      sum += reads[(from + length) % hours] ?? 0;
      length += 1;
    }
    if (!best || sum > best.sum) best = { from, length, sum };
  }
  if (!best) return null;
  const to = (best.from + best.length) % hours;
  return { from: best.from, to: to === 0 ? hours : to };
}
