/** Something that left: `arrivedBy` tells the pace when its answer came back. */
export type PaceTicket = {
  readonly slot: number;
  readonly generation: number;
  readonly leftAt: number;
  /** When the answer was expected at the earliest. */
  readonly expectedAt: number;
};

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
 * There are as many slots as messages are allowed in a window. A message takes the slot that is free first, and frees it one window
 * after it arrived: so no slot, and no window, sees too many. One whose answer is slow holds up its own slot and no other.
 * When a message arrived is not known, but it was before its answer came back; of that trip the shortest round trip ever seen is common
 * to all messages and cancels out (nearly: the two ways differ, and clocks are read a little early). So waiting counts from
 * the answer less that trip, and jitter on the way cannot push two messages together. The trip is taken off at the moment of leaving,
 * when more of them are known: the first ones, over cold connections or on a busy machine, are long. Nothing is taken off until two
 * windows were seen, and the less the further the shortest ones lie apart: then the true shortest may not be among them yet.
 *
 * A new pace knows nothing of messages that left before it, so it assumes a full window, evenly spread.
 */
export class MessagePace {
  #limit: number;
  readonly #windowMs: number;
  readonly #burstMs: number;
  /** By slot, when its answer came; until then, when it comes at the earliest. */
  #answers: Float64Array;
  /** The slots as a heap: the one that is free first stands first. */
  #heap: Int32Array;
  /** By slot, where it stands in the heap. */
  #places: Int32Array;
  #dueAt: number;
  /** The shortest round trips so far, ascending. */
  readonly #shortTrips = new Float64Array(comparedTrips).fill(Infinity);
  #trips = 0;
  #generation = 0;

  constructor({ limit, windowMs, burstMs, now }: MessagePaceOptions) {
    this.#limit = Math.max(1, Math.floor(limit));
    this.#windowMs = windowMs;
    this.#burstMs = burstMs;
    this.#dueAt = now;
    this.#answers = evenlySpread(this.#limit, windowMs, now);
    [this.#heap, this.#places] = [ascending(this.#limit), ascending(this.#limit)];
  }

  get limit(): number {
    return this.#limit;
  }

  /** Earliest time for the next message; it may leave when this is not after `now`. */
  nextAt(): number {
    return Math.max(
      this.#answerAt(0) - this.#commonTrip() + marginMs + this.#windowMs,
      this.#dueAt - this.#burstMs,
    );
  }

  #commonTrip(): number {
    if (this.#trips <= Math.max(seasonedTrips, 2 * this.#limit)) return 0;
    const spread = (this.#shortTrips[comparedTrips - 1] ?? 0) - this.#shortestTrip;
    return Math.max(0, this.#shortestTrip * commonShare - spread);
  }

  get #shortestTrip(): number {
    return this.#shortTrips[0] ?? Infinity;
  }

  leave(now: number): PaceTicket {
    const slot = this.#heap[0] ?? 0;
    const expectedAt = this.#trips > 0 ? now + this.#shortestTrip : now;
    this.#answers[slot] = expectedAt;
    this.#sink(0);
    this.#dueAt = Math.max(this.#dueAt, now - this.#burstMs) + this.#windowMs / this.#limit;
    return { slot, generation: this.#generation, leftAt: now, expectedAt };
  }

  /** The answer to a message came: it arrived there at the latest one shortest return trip before. */
  arrivedBy(ticket: PaceTicket, now: number): void {
    this.#noteTrip(now - ticket.leftAt);
    const { slot, generation, expectedAt } = ticket;
    // Another message may have the slot by now.
    if (generation !== this.#generation || this.#answers[slot] !== expectedAt) return;
    this.#answers[slot] = Math.max(expectedAt, now);
    this.#sink(this.#places[slot] ?? 0);
  }

  /** Changes the limit from now on; what left before counts as evenly spread at the old limit. */
  changeLimit(limit: number, now: number): void {
    const next = Math.max(1, Math.floor(limit));
    if (next === this.#limit) return;
    this.#limit = next;
    this.#answers = evenlySpread(next, this.#windowMs, now);
    [this.#heap, this.#places] = [ascending(next), ascending(next)];
    this.#dueAt = now;
    this.#generation += 1;
  }

  #noteTrip(trip: number): void {
    this.#trips += 1;
    const trips = this.#shortTrips;
    let place = comparedTrips - 1;
    if (trip >= (trips[place] ?? 0)) return;
    for (; place > 0 && (trips[place - 1] ?? 0) > trip; place -= 1) trips[place] = trips[place - 1] ?? 0;
    trips[place] = trip;
  }

  #answerAt(place: number): number {
    return this.#answers[this.#heap[place] ?? 0] ?? Infinity;
  }

  /** The slot at `place` is free later than before: moves it behind those that are free sooner. */
  #sink(place: number): void {
    const slot = this.#heap[place] ?? 0;
    const answeredAt = this.#answers[slot] ?? 0;
    let hole = place;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.#limit) break;
      if (child + 1 < this.#limit && this.#answerAt(child + 1) < this.#answerAt(child)) child += 1;
      if (this.#answerAt(child) >= answeredAt) break;
      this.#put(hole, this.#heap[child] ?? 0);
      hole = child;
    }
    this.#put(hole, slot);
  }

  #put(place: number, slot: number): void {
    this.#heap[place] = slot;
    this.#places[slot] = place;
  }
}

const commonShare = 0.95;
const seasonedTrips = 50;
const comparedTrips = 10;
const marginMs = 1;

function ascending(length: number): Int32Array {
  return Int32Array.from({ length }, (_, place) => place);
}

function evenlySpread(limit: number, windowMs: number, now: number): Float64Array {
  const from = now - windowMs - marginMs;
  return Float64Array.from({ length: limit }, (_, place) => from + (place * windowMs) / limit);
}
