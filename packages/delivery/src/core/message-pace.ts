/** Something that left: `arrivedBy` tells the pace when its answer came back. */
export type PaceTicket = { readonly slot: number; readonly leftAt: number };

export type MessagePaceOptions = {
  /** Most messages in any `windowMs`; at least 1. */
  limit: number;
  windowMs: number;
  /** How far sending may catch up after it fell behind, in milliseconds. */
  burstMs: number;
  now: number;
};

/**
 * Decides when the next message may leave so that the receiver never sees more than `limit` in any sliding window.
 *
 * Message k may leave one window after message k - limit arrived. When that arrived is not known, but it was before its
 * answer came back; of that trip the shortest round trip ever seen is common to all messages and cancels out (nearly: the two
 * ways differ, and clocks are read a little early). So waiting counts from the answer less that trip, and jitter on the way
 * cannot push two messages together. Until enough trips were seen nothing is taken off.
 *
 * A new pace knows nothing of messages that left before it, so it assumes a full window, evenly spread.
 */
export class MessagePace {
  #limit: number;
  readonly #windowMs: number;
  readonly #burstMs: number;
  #arrivals: Float64Array;
  #next = 0;
  #dueAt: number;
  #shortestTrip = Infinity;
  #trips = 0;
  #generation = 0;

  constructor({ limit, windowMs, burstMs, now }: MessagePaceOptions) {
    this.#limit = Math.max(1, Math.floor(limit));
    this.#windowMs = windowMs;
    this.#burstMs = burstMs;
    this.#dueAt = now;
    this.#arrivals = evenlySpread(this.#limit, windowMs, now);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Earliest time for the next message; it may leave when this is not after `now`. */
  nextAt(): number {
    const oldest = this.#arrivals[this.#next % this.#limit] ?? 0;
    return Math.max(oldest + this.#windowMs, this.#dueAt - this.#burstMs);
  }

  leave(now: number): PaceTicket {
    const slot = this.#next % this.#limit;
    this.#arrivals[slot] = now + marginMs;
    this.#next += 1;
    this.#dueAt = Math.max(this.#dueAt, now - this.#burstMs) + this.#windowMs / this.#limit;
    return { slot: slot + this.#generation * SLOT_SPACE, leftAt: now };
  }

  /** The answer to a message came: it arrived there at the latest one shortest return trip before. */
  arrivedBy(ticket: PaceTicket, now: number): void {
    const trip = now - ticket.leftAt;
    if (trip < this.#shortestTrip) this.#shortestTrip = trip;
    this.#trips += 1;
    const common = this.#trips > seasonedTrips ? this.#shortestTrip * commonShare : 0;
    const slot = ticket.slot - this.#generation * SLOT_SPACE;
    if (slot < 0 || slot >= this.#limit || this.#arrivals[slot] !== ticket.leftAt + marginMs) return;
    this.#arrivals[slot] = now - common + marginMs;
  }

  /** Changes the limit from now on; what left before counts as evenly spread at the old limit. */
  changeLimit(limit: number, now: number): void {
    const next = Math.max(1, Math.floor(limit));
    if (next === this.#limit) return;
    this.#limit = next;
    this.#arrivals = evenlySpread(next, this.#windowMs, now);
    this.#next = 0;
    this.#dueAt = now;
    this.#generation += 1;
  }
}

const SLOT_SPACE = 2 ** 32;
const commonShare = 0.95;
const seasonedTrips = 20;
const marginMs = 2;

function evenlySpread(limit: number, windowMs: number, now: number): Float64Array {
  return Float64Array.from({ length: limit }, (_, place) => now - windowMs + (place * windowMs) / limit);
}
