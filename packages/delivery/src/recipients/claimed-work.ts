import type pg from 'pg';
import type { ChannelLease } from '../engine/channel-lease.ts';
import { type ClaimedRecipient, readClaimedRetries } from './claim-recipients.ts';
import { hasLeft } from '../core/settle-decision.ts';
import type { DeliveryClock, DeliveryLogger } from '../delivery-host.ts';
import { ResultBuffer, type TrackedResult } from './result-buffer.ts';
import { factsOf, type RunWork, type SendItem, type Slice } from './run-work.ts';
import { SendQueue } from './send-queue.ts';
import type { SettledRecipient } from './settle-recipients.ts';

export type ClaimedWorkOptions = {
  pool: pg.Pool;
  lease: ChannelLease;
  clock: DeliveryClock;
  logger: DeliveryLogger;
  /** Called after the commit, with the run's own figures brought up to date. */
  onSettled(run: RunWork): void;
  findRun(runNo: number): RunWork | undefined;
  /** How many may wait for their turn at most. */
  capacity: number;
};

type Try = Pick<ClaimedRecipient, 'seq' | 'attempt' | 'day'>;

/**
 * Recipients that the database counts as handed to this sender: each one leaves, or is given back, and is settled once.
 * Held at any moment, whatever the audience: `capacity` that wait, those in flight, and the results that `ResultBuffer` holds.
 */
export class ClaimedWork {
  readonly #options: ClaimedWorkOptions;
  readonly #queue: SendQueue;
  readonly #results: ResultBuffer;

  constructor(options: ClaimedWorkOptions) {
    const { pool: client, lease: fence, clock, logger } = options;
    this.#options = options;
    this.#queue = new SendQueue(options.capacity);
    this.#results = new ResultBuffer({
      client,
      fence,
      clock,
      logger,
      onSettled: (runNo, settled) => this.#noteSettled(runNo, settled),
    });
  }

  /** How many wait for their turn to leave. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** So many results wait to be written that no more recipients should be claimed. */
  get isFull(): boolean {
    return this.#results.isFull;
  }

  get isSettled(): boolean {
    return this.#results.isEmpty;
  }

  /** Those who may get the message now wait for their turn; the others are settled at once. */
  accept(run: RunWork, claimed: readonly ClaimedRecipient[], slice: Slice | null): void {
    const now = this.#options.clock.now();
    for (const recipient of claimed) {
      const { cancelReason } = recipient;
      const missing = cancelReason === null ? run.missingValue(factsOf(recipient)) : null;
      if (cancelReason) this.#record(run, recipient, slice, { to: 'cancelled', code: cancelReason }, now);
      else if (missing === null) this.#queue.push({ run, recipient, slice });
      else
        this.#record(run, recipient, slice, { to: 'refused', code: 'value_missing', detail: missing }, now);
    }
  }

  takeNext(): SendItem | undefined {
    return this.#queue.take();
  }

  settle({ run, recipient, slice }: SendItem, settlement: SettledRecipient['settlement'], at: number): void {
    this.#record(run, recipient, slice, settlement, at);
  }

  giveBack({ run, recipient, slice }: SendItem): void {
    this.#release(run, recipient, slice);
  }

  /** Gives back what waits for its turn, of one run or of all. */
  giveBackWaiting(of?: RunWork): void {
    for (const item of this.#queue.takeAll(of)) this.giveBack(item);
  }

  /**
   * Gives back what a claim took up to `upto` whose answer never arrived: nothing of it was sent. The slice stays open until
   * all of it is given back: a later claim must not tell the database that it is settled.
   */
  giveBackSlice(run: RunWork, upto: number): void {
    const from = run.cursor;
    const slice = run.openSlice(from, upto, upto - from);
    for (let seq = from; seq < upto; seq += 1)
      this.#release(run, { seq, attempt: 1, day: run.dayInDoubt(seq) }, slice);
  }

  /** Gives back retries that the database counts as handed to us and that we never received. */
  async giveBackForgotten(run: RunWork): Promise<void> {
    const { pool, lease } = this.#options;
    for (const retry of await readClaimedRetries(pool, run.runNo, lease)) {
      if (run.isHeld(retry)) continue;
      run.unsettled += 1;
      this.#release(run, { ...retry, day: run.dayInDoubt(retry.seq) }, null);
    }
  }

  /** Writes every result so far; resolves when they are committed or dropped. */
  flush(): Promise<void> {
    return this.#results.flush();
  }

  /** Another sender took over, or this one ends: nothing leaves and nothing is written any more. */
  drop(): void {
    this.#queue.clear();
    this.#results.drop();
  }

  #release(run: RunWork, recipient: Try, slice: Slice | null): void {
    const now = this.#options.clock.now();
    this.#record(run, recipient, slice, { to: 'released', notBefore: now }, now);
  }

  #record(
    run: RunWork,
    { seq, attempt, day }: Try,
    slice: Slice | null,
    settlement: SettledRecipient['settlement'],
    at: number,
  ): void {
    if (settlement.to === 'released') run.noteReleasing({ seq, attempt });
    const giveBack = hasLeft(settlement) ? null : day;
    this.#results.add(run.runNo, { seq, attempt, isRetry: slice === null, at, settlement, giveBack, slice });
  }

  #noteSettled(runNo: number, settled: readonly TrackedResult[]): void {
    const run = this.#options.findRun(runNo);
    if (!run) return;
    run.unsettled -= settled.length;
    run.clearDoubt(settled);
    for (const { slice, seq, attempt, settlement } of settled) {
      run.letGo({ seq, attempt });
      if (slice) slice.open -= 1;
      if ('notBefore' in settlement)
        run.nextRetryAt = Math.min(run.nextRetryAt ?? Infinity, settlement.notBefore);
    }
    this.#options.onSettled(run);
  }
}
