import { NumberTable } from '../../core/number-table.ts';
import { SlidingSecond } from '../../core/sliding-second.ts';
import type { Behaviour } from '../behaviour.ts';
import { GraphError } from '../errors.ts';
import { recipientKey } from './message-ledger.ts';
import type { BusinessNumber } from '../store.ts';

const PAIR_BURST_MS = 45 * 6000;
const DAY_MS = 24 * 3_600_000;

const tierLimits: Record<string, number> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
};

/** The limits that the platform puts on one business number. */
export class SendLimits {
  /** Every well-formed send, refused or not: what the sender did. */
  readonly arrivals = new SlidingSecond();
  readonly #accepted = new SlidingSecond();
  #pairs = new NumberTable();
  #pairsBefore = new NumberTable();
  #pairsSince = 0;
  #reachedToday = new Map<number, number>();

  /** Throws 130429, 131056 or 131048; counts the message when it passes. `now`: monotonic milliseconds. */
  admit(
    number: BusinessNumber,
    recipient: string,
    behaviour: Behaviour,
    isInWindow: boolean,
    now: number,
  ): void {
    this.arrivals.add(now);
    const mps = number.throughputMps ?? behaviour.throughputMps;
    if (mps > 0 && this.#accepted.count(now) >= Math.floor(mps * (1 + behaviour.throughputLeeway))) {
      throw new GraphError(130429, { details: 'Cloud API message throughput has been reached.' });
    }
    const key = Math.abs(recipientKey(recipient));
    if (behaviour.pairLimit) this.#admitPair(key, now);
    const tierLimit = tierLimits[number.tier];
    if (tierLimit !== undefined && !isInWindow) this.#admitPerson(key, tierLimit, now);
    this.#accepted.add(now);
  }

  // A bucket of 45 that refills one every 6 s, kept as the time at which it will be full again. Buckets that are
  // full need no memory, so the older of two generations can be dropped whole.
  #admitPair(key: number, now: number): void {
    if (now - this.#pairsSince > PAIR_BURST_MS) {
      this.#pairsBefore = this.#pairs;
      this.#pairs = new NumberTable();
      this.#pairsSince = now;
    }
    const fullAt = Math.max(now, this.#pairs.get(key) ?? this.#pairsBefore.get(key) ?? 0);
    if (fullAt - now > PAIR_BURST_MS - 6000) {
      throw new GraphError(131056, {
        details: 'Too many messages sent from this phone number to the same user',
      });
    }
    this.#pairs.set(key, fullAt + 6000);
  }

  #admitPerson(key: number, limit: number, now: number): void {
    const reached = this.#reachedToday;
    if (reached.size >= limit && !reached.has(key)) {
      for (const [person, at] of reached) if (now - at > DAY_MS) reached.delete(person);
      if (reached.size >= limit) {
        throw new GraphError(131048, {
          details: `The messaging limit of ${limit} people in 24 hours has been reached`,
        });
      }
    }
    reached.delete(key);
    reached.set(key, now);
  }
}
