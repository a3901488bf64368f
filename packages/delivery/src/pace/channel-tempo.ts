import type { ChannelLease } from '../engine/channel-lease.ts';
import { type AdaptiveRate, lowerRate, raiseRate, ratePerSecond } from '../core/adaptive-rate.ts';
import { MessagePace, type PaceTicket } from '../core/message-pace.ts';
import { mostInFlight, noteAnswer, noteTrouble, noTrouble, type Trouble } from '../core/trouble.ts';
import type { DeliveryChannel } from '../delivery-host.ts';

const usualInFlight = 256;
const burstMs = 100;
/** A slice is what leaves within this time, or within a few round trips to a slow database, so that a crash leaves few in doubt. */
const sliceMs = 100;
const sliceRoundTrips = 4;
const longestSliceMs = 1_000;
const unlimitedSlice = 500;
/** Claiming begins while at most a slice waits, and takes one. */
export const mostWaiting = 2 * unlimitedSlice;

/** How fast one channel may send at the moment, and how much at once. Times in milliseconds of the engine's clock. */
export class ChannelTempo {
  readonly #usualInFlight: number;
  /** A part of a message, where many numbers share few. */
  readonly #perMinute: number | null;
  readonly #minutePace: MessagePace | null;
  #secondPace: MessagePace | null;
  #rate: AdaptiveRate | null;
  #trouble: Trouble = noTrouble;
  #holdUntil: number;
  #claimTookMs = 0;

  constructor({ messagesPerSecond, maxInFlight, limits }: DeliveryChannel, lease: ChannelLease, now: number) {
    this.#usualInFlight = maxInFlight ?? usualInFlight;
    this.#holdUntil = lease.holdUntil;
    this.#rate =
      messagesPerSecond === null
        ? null
        : { fullPerSecond: messagesPerSecond, loweredTo: lease.loweredTo, changedAt: lease.rateChangedAt };
    this.#secondPace = this.#rate
      ? new MessagePace({ limit: ratePerSecond(this.#rate), windowMs: 1_000, burstMs, now })
      : null;
    this.#perMinute = limits?.perMinute || null;
    this.#minutePace = this.#perMinute === null ? null : minutePace(this.#perMinute, now);
  }

  /** Earliest time for the next message. */
  nextSlot(): number {
    return Math.max(this.#holdUntil, this.#secondPace?.nextAt() ?? 0, this.#minutePace?.nextAt() ?? 0);
  }

  get maxInFlight(): number {
    return mostInFlight(this.#trouble, this.#usualInFlight);
  }

  /** What has to outlive this process. */
  get remembered(): { loweredTo: number | null; changedAt: number; holdUntil: number } {
    return {
      loweredTo: this.#rate?.loweredTo ?? null,
      changedAt: this.#rate?.changedAt ?? 0,
      holdUntil: this.#holdUntil,
    };
  }

  leave(now: number): PaceTicket | null {
    this.#minutePace?.leave(now);
    return this.#secondPace?.leave(now) ?? null;
  }

  /** Something else of the same number is about to leave: room is made for it, whether or not this is the moment. */
  expectUnasked(now: number): void {
    this.#minutePace?.leave(now);
    this.#secondPace?.leave(now);
  }

  /** What was expected leaves now. */
  leaveUnasked(now: number): void {
    this.#secondPace?.leave(now);
  }

  ended(ticket: PaceTicket | null, now: number): void {
    if (ticket) this.#secondPace?.arrivedBy(ticket, now);
  }

  answered(): void {
    this.#trouble = noteAnswer(this.#trouble);
  }

  /** A message that left at `leftAt` got no answer; true when the channel is held for that. */
  gotNoAnswer(leftAt: number, now: number): boolean {
    const { trouble, holdMs } = noteTrouble(this.#trouble, leftAt, now);
    this.#trouble = trouble;
    return holdMs !== null && this.hold(now + holdMs);
  }

  hold(until: number): boolean {
    if (until <= this.#holdUntil) return false;
    this.#holdUntil = until;
    return true;
  }

  /** True when the rate changed. */
  lower(now: number): boolean {
    return this.#rate !== null && this.#changeRate(lowerRate(this.#rate, now), now);
  }

  raise(now: number): boolean {
    return this.#rate !== null && this.#changeRate(raiseRate(this.#rate, now), now);
  }

  /** A database that gets slower is believed sooner than one that gets faster: an empty queue is time lost for good. */
  noteClaim(tookMs: number): void {
    this.#claimTookMs += (tookMs - this.#claimTookMs) / (tookMs > this.#claimTookMs ? 2 : 8);
  }

  /** How many recipients to claim at once for one of `activeRuns` runs. */
  sliceSize(activeRuns: number): number {
    const perSecond = Math.min(
      this.#secondPace?.limit ?? Infinity,
      this.#perMinute === null ? Infinity : this.#perMinute / 60,
    );
    const coveredMs = Math.min(longestSliceMs, Math.max(sliceMs, this.#claimTookMs * sliceRoundTrips));
    const count = Math.min(unlimitedSlice, (perSecond * coveredMs) / 1_000);
    return Math.max(1, Math.ceil(count / Math.max(1, activeRuns)));
  }

  /** The next slice is claimed while so many are left: without a limit of speed a whole one, else half. */
  claimBelow(sliceSize: number): number {
    return this.#secondPace || this.#minutePace ? sliceSize / 2 : sliceSize;
  }

  #changeRate(rate: AdaptiveRate, now: number): boolean {
    if (rate === this.#rate) return false;
    this.#rate = rate;
    this.#secondPace?.changeLimit(ratePerSecond(rate), now);
    return true;
  }
}

/** Less than one message in a minute is one in a longer time. */
function minutePace(perMinute: number, now: number): MessagePace {
  const windowMs = 60_000 / Math.min(1, perMinute);
  return new MessagePace({ limit: perMinute, windowMs, burstMs: 0, now });
}
