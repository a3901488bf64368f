import { readRunningRate } from '@app/delivery/pace/running-rate';
import type { ApiDependencies } from '../../platform/request-context.ts';

/** Each so many messages per second of running campaigns make a sync rest once as long as it worked. */
const PER_REST = 50;
/** A sync still gets the twentieth part of the time. */
const MOST_RESTS = 19;
const LONGEST_REST_MS = 10_000;

/**
 * How long a sync rests after it applied a page in `workedMs`, while campaigns send `messagesPerSecond`. Both need the same processors and the same
 * database: at 80 a second there is room for both, and at 1,000 a second the campaign takes all of them.
 */
export function restAfter(workedMs: number, messagesPerSecond: number): number {
  return Math.min(LONGEST_REST_MS, workedMs * Math.min(MOST_RESTS, messagesPerSecond / PER_REST));
}

/** Lets running campaigns, of any workspace, go first. Returns at once while none is running. */
export async function giveWay(
  { db }: Pick<ApiDependencies, 'db'>,
  workedMs: number,
  wait: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const rest = restAfter(workedMs, await readRunningRate(db.systemPool));
  if (rest > 0) await wait(rest);
}
