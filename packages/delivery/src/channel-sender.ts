import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type pg from 'pg';
import { holdRecipient, recordOptOut } from './apply-statuses.ts';
import { type ChannelLease, releaseChannel, rememberRate, takeRuns } from './channel-lease.ts';
import {
  cancelNextRecipients,
  completeRun,
  readChannelRuns,
  readRunMessage,
  saveLowWater,
} from './channel-runs.ts';
import { claimRetries, claimSlice, type ClaimedRecipient, readClaimedRetries } from './claim-recipients.ts';
import { guardRecipient } from './core/guard-recipient.ts';
import { ChannelTempo } from './channel-tempo.ts';
import type { PaceTicket } from './core/message-pace.ts';
import { decideSettlement, type SettleEffect } from './core/settle-decision.ts';
import { takeDailyAllowance } from './daily-allowance.ts';
import type { PauseReason } from './delivery-events.ts';
import type { DeliveryChannel, DeliveryClock, DeliveryLogger } from './delivery-host.ts';
import { ResultBuffer, type TrackedResult } from './result-buffer.ts';
import { pauseRunFor, stopChannel } from './run-controls.ts';
import { RunWork, type SendItem, type Slice } from './run-work.ts';
import { SendQueue } from './send-queue.ts';
import { SendSignal } from './send-signal.ts';
import type { SettledRecipient } from './settle-recipients.ts';
import { freezeRest } from './start-run.ts';
import { inTransaction } from './transaction.ts';

export type ChannelSenderOptions = {
  pool: pg.Pool;
  lease: ChannelLease;
  delivery: DeliveryChannel;
  clock: DeliveryClock;
  random: () => number;
  logger: DeliveryLogger;
  /** Until when (by `clock`) the lease surely holds. */
  leaseUntil: number;
  onRunState(runNo: number): void;
};

/** Recipients are not claimed, and claimed ones are given back, when nothing can leave for this long. */
const longWaitMs = 1_000;

type Try = Pick<ClaimedRecipient, 'seq' | 'attempt'>;

/** Sends the runs of one channel while the lease is held: claims ahead, paces, sends, settles. */
export class ChannelSender {
  readonly #options: ChannelSenderOptions;
  readonly #runs = new Map<number, RunWork>();
  readonly #results: ResultBuffer;
  readonly #signal = new SendSignal();
  readonly #tempo: ChannelTempo;
  readonly #queue = new SendQueue();
  #leaseUntil: number;
  #inFlight = 0;
  #isClaiming = false;
  #claimingRun: RunWork | null = null;
  #isClosed = false;
  #isRefreshing = false;
  #needsRefresh = false;
  #turn = 0;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Infinity;
  #background = 0;

  constructor(options: ChannelSenderOptions) {
    const { lease, delivery, clock, pool, logger } = options;
    this.#options = options;
    this.#leaseUntil = options.leaseUntil;
    this.#tempo = new ChannelTempo(delivery, lease, clock.now());
    this.#results = new ResultBuffer({
      client: pool,
      fence: lease,
      clock,
      logger,
      onSettled: (runNo, settled) => this.#onSettled(runNo, settled),
    });
  }

  /** Nothing to send, nothing in flight: the channel can be given back. */
  get isIdle(): boolean {
    return (
      !this.#isClosed &&
      !this.#isRefreshing &&
      !this.#needsRefresh &&
      !this.#isClaiming &&
      this.#background === 0 &&
      this.#inFlight === 0 &&
      this.#results.isEmpty &&
      [...this.#runs.values()].every((run) => run.state === 'paused')
    );
  }

  renewed(leaseUntil: number): void {
    this.#leaseUntil = leaseUntil;
    if (this.#tempo.raise(this.#options.clock.now())) this.#rememberTempo();
    this.#pump();
  }

  /** A person's reply takes the moment `at` of this channel's budget. */
  noteReply(at: number): void {
    const { clock } = this.#options;
    // Once now, so that the campaign leaves room, and once when it really leaves.
    this.#tempo.leaveUnasked(clock.now());
    clock.after(Math.max(0, at - clock.now()), () => this.#tempo.leaveUnasked(clock.now()));
  }

  /** Reads again what people decided: new runs, pauses, resumes, cancellations. */
  async refresh(): Promise<void> {
    this.#needsRefresh = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#needsRefresh && !this.#isClosed) {
        this.#needsRefresh = false;
        await this.#readRuns();
      }
    } catch (error) {
      this.#options.logger.warn('Runs of a channel could not be read', { error: String(error) });
    } finally {
      this.#isRefreshing = false;
    }
    this.#pump();
  }

  /** Ends in good order: what is in flight is awaited and stored, the rest goes back, the lease is released. */
  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#releaseQueued();
    const deadline = clock.now() + graceMs;
    while ((this.#inFlight > 0 || this.#isClaiming) && clock.now() < deadline) await this.#wait(20);
    this.#signal.abort();
    const aborted = clock.now() + 1_000;
    while (this.#inFlight > 0 && clock.now() < aborted) await this.#wait(5);
    this.#releaseQueued();
    await Promise.race([this.#handOver(), this.#wait(Math.max(1_000, graceMs))]);
    this.#results.drop();
  }

  async #handOver(): Promise<void> {
    const { pool, lease } = this.#options;
    await this.#results.flush();
    for (const run of this.#runs.values()) await saveLowWater(pool, run.runNo, lease, run.lowWater());
    await releaseChannel(pool, lease);
  }

  /** The lease is lost: nothing leaves and nothing is written any more. */
  abandon(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#results.drop();
    this.#queue.clear();
    this.#signal.abort();
  }

  #pump(): void {
    if (this.#isClosed) return;
    const { clock } = this.#options;
    while (this.#queue.length > 0 && this.#inFlight < this.#tempo.maxInFlight) {
      const now = clock.now();
      if (now >= this.#leaseUntil) return;
      const at = this.#tempo.nextSlot();
      if (at > now) {
        this.#pumpAt(at);
        break;
      }
      const item = this.#queue.take();
      if (item?.run.maySend) this.#send(item, now);
      else if (item) this.#giveBack(item.run, item.recipient, item.slice);
    }
    this.#claimAhead();
  }

  #pumpAt(at: number): void {
    if (at >= this.#timerAt) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = this.#options.clock.after(Math.max(0, at - this.#options.clock.now()), () => {
      this.#timerAt = Infinity;
      this.#cancelTimer = undefined;
      this.#pump();
    });
  }

  #send(item: SendItem, now: number): void {
    const { run, recipient } = item;
    this.#inFlight += 1;
    const ticket = this.#tempo.leave(now);
    const content = run.fill({
      name: recipient.name,
      phone: recipient.address,
      email: recipient.email,
      customValues: recipient.customValues,
    });
    const tag = formatDeliveryTag({ runNo: run.runNo, seq: recipient.seq, attempt: recipient.attempt });
    this.#options.delivery.channel.send({ to: recipient.address, tag, content }, this.#signal).then(
      (result) => this.#onResult(item, now, ticket, result),
      (error: unknown) => {
        this.#options.logger.error('A channel threw instead of answering', { error: String(error) });
        this.#onResult(item, now, ticket, { outcome: 'unknown', reason: 'connection_lost' });
      },
    );
  }

  #onResult(item: SendItem, leftAt: number, ticket: PaceTicket | null, result: SendResult): void {
    const now = this.#options.clock.now();
    this.#inFlight -= 1;
    this.#tempo.ended(ticket, now);
    const { settlement, effect } = decideSettlement(result, {
      attempt: item.recipient.attempt,
      now,
      jitter: this.#options.random(),
    });
    this.#record(item.run, item.recipient, item.slice, settlement, now);
    if (effect?.kind === 'channel_trouble') {
      if (this.#tempo.gotNoAnswer(leftAt, now)) this.#onHold(now);
    } else this.#tempo.answered();
    if (effect) this.#applyEffect(effect, item, now);
    // The last results of a campaign need not wait for company.
    if (this.#inFlight === 0 && this.#queue.length === 0 && item.run.cursor >= item.run.total)
      void this.#results.flush();
    this.#pump();
  }

  #record(
    run: RunWork,
    { seq, attempt }: Try,
    slice: Slice | null,
    settlement: SettledRecipient['settlement'],
    at: number,
  ): void {
    if (settlement.to === 'released') run.releasing.add(seq);
    this.#results.add(run.runNo, { seq, attempt, isRetry: slice === null, at, settlement, slice });
  }

  #giveBack(run: RunWork, recipient: Try, slice: Slice | null): void {
    const now = this.#options.clock.now();
    this.#record(run, recipient, slice, { to: 'released', notBefore: now }, now);
  }

  #onSettled(runNo: number, settled: readonly TrackedResult[]): void {
    const run = this.#runs.get(runNo);
    if (!run) return;
    run.unsettled -= settled.length;
    for (const { slice, seq, settlement } of settled) {
      run.retriesInHand.delete(seq);
      run.releasing.delete(seq);
      if (slice) slice.open -= 1;
      if ('notBefore' in settlement)
        run.nextRetryAt = Math.min(run.nextRetryAt ?? Infinity, settlement.notBefore);
    }
    if (run.state === 'cancelled' && run.unsettled === 0) void this.refresh();
    this.#finishIfDone(run);
    this.#pump();
  }

  #finishIfDone(run: RunWork): void {
    if (!run.isDone || this.#isClosed) return;
    const { pool, lease, onRunState } = this.#options;
    this.#inBackground(async () => {
      if (await completeRun(pool, run.runNo, lease)) {
        this.#runs.delete(run.runNo);
        onRunState(run.runNo);
      } else await this.refresh();
    });
  }

  #applyEffect(effect: SettleEffect, item: SendItem, now: number): void {
    const { pool } = this.#options;
    const { runNo } = item.run;
    const { seq } = item.recipient;
    switch (effect.kind) {
      case 'channel_trouble':
        return;
      case 'hold_channel':
        if (this.#tempo.hold(effect.untilMs)) this.#onHold(now);
        return;
      case 'lower_rate':
        if (this.#tempo.lower(now)) this.#rememberTempo();
        return;
      case 'opt_out':
        return this.#inBackground(() => recordOptOut(pool, runNo, seq));
      case 'hold_recipient':
        return this.#inBackground(() => holdRecipient(pool, runNo, seq, effect.hours));
      case 'stop_campaign':
        if (item.run.maySend) this.#pauseRun(item.run, 'campaign_stopped', effect);
        return;
      case 'stop_channel':
        // Messages that were in flight bring the same news again.
        if (![...this.#runs.values()].some((run) => run.maySend)) return;
        return this.#pauseAll(effect);
    }
  }

  #pauseAll(cause: { code: string; detail: string }): void {
    const { pool, lease, onRunState } = this.#options;
    const runs = [...this.#runs.values()].filter((run) => run.maySend);
    this.#pauseMeanwhile(runs, async () => {
      await stopChannel(pool, lease.channelId, cause);
      for (const run of runs) onRunState(run.runNo);
    });
  }

  #pauseRun(
    run: RunWork,
    reason: PauseReason,
    cause: { code?: string; detail?: string; resumeAt?: number } = {},
  ): void {
    this.#pauseMeanwhile([run], async () => {
      await pauseRunFor(this.#options.pool, run.runNo, { reason, ...cause });
      this.#options.onRunState(run.runNo);
    });
  }

  /** Nothing leaves from now on, also while the pause is being stored. */
  #pauseMeanwhile(runs: readonly RunWork[], store: () => Promise<void>): void {
    for (const run of runs) {
      run.state = 'paused';
      run.isPausing = true;
      this.#releaseQueued(run);
    }
    this.#inBackground(async () => {
      try {
        await store();
      } finally {
        for (const run of runs) run.isPausing = false;
      }
      await this.refresh();
    });
  }

  #onHold(now: number): void {
    if (this.#tempo.nextSlot() - now > longWaitMs) this.#releaseQueued();
    this.#rememberTempo();
  }

  #rememberTempo(): void {
    const { pool, lease } = this.#options;
    this.#inBackground(() => rememberRate(pool, lease, this.#tempo.remembered));
  }

  #claimAhead(): void {
    if (this.#isClaiming || this.#isClosed || this.#results.isFull) return;
    const { clock } = this.#options;
    const now = clock.now();
    if (now >= this.#leaseUntil) return;
    const size = this.#tempo.sliceSize([...this.#runs.values()].filter((run) => run.hasWork(now)).length);
    if (this.#queue.length > this.#tempo.claimBelow(size)) return;
    const run = this.#nextRun(now);
    if (!run) {
      const at = Math.min(
        ...[...this.#runs.values()].map((r) => (r.maySend ? (r.nextRetryAt ?? Infinity) : Infinity)),
      );
      if (at !== Infinity) this.#pumpAt(Math.max(at, now + 1));
      return;
    }
    const slot = this.#tempo.nextSlot();
    if (slot > now + longWaitMs / 2) return this.#pumpAt(slot - longWaitMs / 4);
    this.#isClaiming = true;
    this.#claimingRun = run;
    this.#claim(run, size)
      .catch(async (error: unknown) => {
        this.#options.logger.warn('Recipients could not be claimed', {
          runNo: run.runNo,
          error: String(error),
        });
        // Whether the claim committed is not known: the rows count as in flight until the cursor is read again.
        await this.#recoverClaim(run);
      })
      .finally(() => {
        this.#isClaiming = false;
        this.#claimingRun = null;
        this.#pump();
      });
  }

  async #claim(run: RunWork, size: number): Promise<void> {
    const { pool, lease, clock, delivery } = this.#options;
    const now = clock.now();
    const isRetry = run.nextRetryAt !== null && run.nextRetryAt <= now;
    const wanted = isRetry ? size : Math.min(size, run.total - run.cursor);
    const allowed = await takeDailyAllowance(
      pool,
      lease.workspaceId,
      wanted,
      delivery.limits?.perDay ?? null,
      now,
    );
    if (allowed.count === 0) return this.#pauseRun(run, 'daily_limit', { resumeAt: allowed.nextDayAt });
    if (isRetry) return this.#claimDueRetries(run, allowed.count, now);
    const from = run.cursor;
    const upto = from + allowed.count;
    const claimed = await claimSlice(pool, run.runNo, lease, {
      from,
      upto,
      lowWater: run.lowWater(),
      facts: run.facts,
    });
    if (claimed === null) {
      this.#needsRefresh = true;
      run.state = run.maySend ? 'paused' : run.state;
      return void this.refresh();
    }
    this.#tempo.noteClaim(clock.now() - now);
    const slice = run.openSlice(from, upto, claimed.length);
    this.#accept(run, claimed, slice);
    // Only now: the first messages come before the work of freezing the others.
    if (!run.isFrozen) this.#freeze(run);
    if (run.state === 'ready') {
      run.state = 'running';
      this.#options.onRunState(run.runNo);
    }
  }

  async #claimDueRetries(run: RunWork, limit: number, now: number): Promise<void> {
    const { pool, lease } = this.#options;
    run.nextRetryAt = null;
    const claimed = await claimRetries(pool, run.runNo, lease, {
      limit,
      now,
      facts: run.facts,
      except: [...run.releasing, ...run.retriesInHand],
    });
    run.unsettled += claimed.length;
    for (const { seq } of claimed) run.retriesInHand.add(seq);
    this.#accept(run, claimed, null);
    this.#claimingRun = null;
    await this.#readRuns();
  }

  #accept(run: RunWork, claimed: readonly ClaimedRecipient[], slice: Slice | null): void {
    const now = this.#options.clock.now();
    for (const recipient of claimed) {
      const reason = guardRecipient(recipient.contact, run.category, now);
      if (reason) this.#record(run, recipient, slice, { to: 'cancelled', code: reason }, now);
      else this.#queue.push({ run, recipient, slice });
    }
    if (claimed.length === 0) this.#finishIfDone(run);
  }

  /**
   * A claim failed on the way: whether it committed is not known, but nothing of it was sent. What the database counts
   * as handed to us and we never received goes back.
   */
  async #recoverClaim(run: RunWork): Promise<void> {
    await this.#wait(250);
    this.#claimingRun = null;
    await this.#giveBackForgotten(run).catch(() => undefined); // the next refresh tries again
    await this.refresh();
  }

  async #giveBackForgotten(run: RunWork): Promise<void> {
    const { pool, lease } = this.#options;
    for (const { seq, attempt } of await readClaimedRetries(pool, run.runNo, lease))
      if (!run.retriesInHand.has(seq) && !run.releasing.has(seq)) {
        run.unsettled += 1;
        this.#giveBack(run, { seq, attempt }, null);
      }
  }

  /** The slice stays open until all of it is given back: a later claim must not tell the database that it is settled. */
  #giveBackSlice(run: RunWork, upto: number): void {
    const from = run.cursor;
    const slice = run.openSlice(from, upto, upto - from);
    for (let seq = from; seq < upto; seq += 1) this.#giveBack(run, { seq, attempt: 1 }, slice);
  }

  async #readRuns(): Promise<void> {
    const { pool, lease, onRunState } = this.#options;
    await inTransaction(pool, (client) => takeRuns(client, lease));
    const claimingRun = this.#claimingRun;
    const rows = await readChannelRuns(pool, lease);
    const present = new Set(rows.map((row) => row.runNo));
    for (const row of rows) {
      let run = this.#runs.get(row.runNo);
      if (!run) {
        run = new RunWork(row, await readRunMessage(pool, row.runNo));
        this.#runs.set(row.runNo, run);
        onRunState(row.runNo);
      } else {
        if (run.state !== row.state) onRunState(row.runNo);
        if (!run.isPausing) run.state = row.state;
        run.total = row.total;
        run.isFrozen = row.isFrozen;
        run.nextRetryAt = row.nextRetryAt;
      }
      // Claimed by a statement whose answer never reached us: nothing of it was sent.
      if (run !== claimingRun && run !== this.#claimingRun && row.cursor > run.cursor)
        this.#giveBackSlice(run, row.cursor);
      if (run.maySend && row.channelStopped) this.#pauseRun(run, 'channel_stopped', row.channelStopped);
      if (!run.maySend) this.#releaseQueued(run);
      if (run.maySend && !run.isFrozen && run.cursor > 0) this.#freeze(run);
      if (run.state === 'cancelled' && run.unsettled === 0) this.#cancelRest(run);
      if (run.isDone && run !== this.#claimingRun) await this.#giveBackForgotten(run);
      this.#finishIfDone(run);
    }
    for (const run of this.#runs.values())
      if (!present.has(run.runNo) && run.unsettled === 0) this.#runs.delete(run.runNo);
  }

  #freeze(run: RunWork): void {
    if (run.isFreezing) return;
    run.isFreezing = true;
    this.#inBackground(async () => {
      try {
        await inTransaction(this.#options.pool, (client) => freezeRest(client, run.runNo));
      } finally {
        run.isFreezing = false;
      }
      await this.refresh();
    });
  }

  #cancelRest(run: RunWork): void {
    if (run.isFreezing) return;
    run.isFreezing = true;
    this.#inBackground(async () => {
      const { pool, lease, onRunState } = this.#options;
      try {
        let isClosed = false;
        for (let chunk = 0; !isClosed && chunk < 1_000_000 && !this.#isClosed; chunk += 1)
          isClosed = await cancelNextRecipients(pool, run.runNo, lease);
        if (isClosed) this.#runs.delete(run.runNo);
      } finally {
        run.isFreezing = false;
      }
      onRunState(run.runNo);
    });
  }

  /** The runs of a channel take turns. */
  #nextRun(now: number): RunWork | undefined {
    const ready = [...this.#runs.values()].filter((run) => run.hasWork(now));
    this.#turn += 1;
    return ready[this.#turn % Math.max(1, ready.length)];
  }

  /** Gives back what is claimed but has not left, of one run or of all. */
  #releaseQueued(run?: RunWork): void {
    for (const { run: of, recipient, slice } of this.#queue.takeAll(run))
      this.#giveBack(of, recipient, slice);
  }

  #inBackground(work: () => Promise<unknown>): void {
    this.#background += 1;
    work()
      .catch((error: unknown) =>
        this.#options.logger.warn('Background work of a channel failed', { error: String(error) }),
      )
      .finally(() => {
        this.#background -= 1;
        this.#pump();
      });
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(ms, resolve));
  }
}
