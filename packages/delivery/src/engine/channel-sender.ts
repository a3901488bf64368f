import { databaseTrouble } from '@app/database/query-error';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type pg from 'pg';
import { holdRecipient, recordOptOut } from '../statuses/apply-statuses.ts';
import { type ChannelLease, releaseChannel, rememberRate } from './channel-lease.ts';
import { ClaimAhead, longWaitMs } from '../recipients/claim-ahead.ts';
import { ClaimedWork } from '../recipients/claimed-work.ts';
import { ChannelTempo, mostWaiting } from '../pace/channel-tempo.ts';
import type { PaceTicket } from '../core/message-pace.ts';
import { decideSettlement, type SettleEffect } from '../core/settle-decision.ts';
import type { DeliveryChannel, DeliveryClock, DeliveryLogger } from '../delivery-host.ts';
import { HeldRuns } from './held-runs.ts';
import type { ClaimedRecipient } from '../recipients/claim-recipients.ts';
import type { RunWork, SendItem } from '../recipients/run-work.ts';
import { repeatLost } from './repeat-lost.ts';
import { SendSignal } from './send-signal.ts';
import type { EmitDelivery } from '../emit-runs.ts';
import type { SqlClient } from '../sql-client.ts';
import { inTransaction } from '../transaction.ts';

const longestRetryMs = 2_000;

export type ChannelSenderOptions = {
  pool: pg.Pool;
  lease: ChannelLease;
  delivery: DeliveryChannel;
  clock: DeliveryClock;
  random: () => number;
  logger: DeliveryLogger;
  emit: EmitDelivery;
  /** Until when (by `clock`) the lease surely holds. */
  leaseUntil: number;
  onRunState(runNo: number): void;
};

/** Sends the runs of one channel while the lease is held: claims ahead, paces, sends, settles. */
export class ChannelSender {
  readonly #options: ChannelSenderOptions;
  readonly #runs: HeldRuns;
  readonly #work: ClaimedWork;
  readonly #signal = new SendSignal();
  readonly #tempo: ChannelTempo;
  readonly #claims: ClaimAhead;
  #leaseUntil: number;
  #inFlight = 0;
  #isClosed = false;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Infinity;
  /** What the platform said about contacts and is being stored; results that say the same wait for it. */
  readonly #remembering = new Set<Promise<void>>();

  constructor(options: ChannelSenderOptions) {
    const { lease, delivery, clock, pool, logger } = options;
    this.#options = options;
    this.#leaseUntil = options.leaseUntil;
    this.#tempo = new ChannelTempo(delivery, lease, clock.now());
    this.#work = new ClaimedWork({
      pool,
      lease,
      clock,
      logger,
      capacity: mostWaiting,
      findRun: (runNo) => this.#runs.find(runNo),
      onSettled: (run) => {
        this.#runs.noteSettled(run);
        this.#claims.noteSettled();
        this.#pump();
      },
    });
    this.#runs = new HeldRuns({
      pool,
      now: () => clock.now(),
      lease,
      logger,
      emit: options.emit,
      work: this.#work,
      claimingRun: () => this.#claims.run,
      onChange: () => this.#pump(),
      onRunState: options.onRunState,
      onLost: (run, seqs) => this.#repeat(run, seqs),
    });
    this.#claims = new ClaimAhead({
      ...{ pool, lease, clock, logger },
      ...{ work: this.#work, runs: this.#runs, tempo: this.#tempo },
      daily: { perDay: delivery.limits?.perDay ?? null, ofKind: delivery.limits?.ofKind ?? null },
      marketingPerWeek: delivery.limits?.marketingPerWeek ?? null,
      promotionCap: delivery.limits?.promotionCap ?? null,
      priceOf: delivery.limits?.priceOf ?? null,
      isSettled: () =>
        this.#inFlight + this.#remembering.size === 0 && this.#work.waiting === 0 && this.#work.isSettled,
      wakeAt: (at) => this.#pumpAt(at),
      onEnd: () => this.#pump(),
      onRunState: options.onRunState,
    });
  }

  /** Nothing to send, nothing in flight: the channel can be given back. */
  get isIdle(): boolean {
    return (
      !this.#isClosed &&
      !this.#claims.isClaiming &&
      this.#inFlight === 0 &&
      this.#work.isSettled &&
      this.#runs.isIdle
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
    this.#tempo.expectUnasked(clock.now());
    clock.after(Math.max(0, at - clock.now()), () => this.#tempo.leaveUnasked(clock.now()));
  }

  /** Reads again what people decided: new runs, pauses, resumes, cancellations. */
  refresh(): Promise<void> {
    return this.#runs.refresh();
  }

  /** Ends in good order: what is in flight is awaited and stored, the rest goes back, the lease is released. */
  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    this.#close();
    this.#work.giveBackWaiting();
    const deadline = clock.now() + graceMs;
    while ((this.#inFlight > 0 || this.#claims.isClaiming) && clock.now() < deadline) await this.#wait(20);
    this.#signal.abort();
    const aborted = clock.now() + 1_000;
    while (this.#inFlight + this.#remembering.size > 0 && clock.now() < aborted) await this.#wait(5);
    this.#work.giveBackWaiting();
    await Promise.race([this.#handOver(), this.#wait(Math.max(1_000, graceMs))]);
    this.#work.drop();
  }

  #close(): void {
    this.#isClosed = true;
    this.#runs.close();
    this.#cancelTimer?.();
  }

  async #handOver(): Promise<void> {
    const { pool, lease } = this.#options;
    await this.#work.flush();
    await this.#runs.saveLowWater();
    await releaseChannel(pool, lease);
    await Promise.allSettled(this.#remembering);
  }

  /** The lease is lost: nothing leaves and nothing is written any more. */
  abandon(): void {
    this.#close();
    this.#work.drop();
    this.#signal.abort();
  }

  #pump(): void {
    if (this.#isClosed) return;
    const { clock } = this.#options;
    while (this.#work.waiting > 0 && this.#inFlight < this.#tempo.maxInFlight) {
      const now = clock.now();
      if (now >= this.#leaseUntil) return;
      const at = this.#tempo.nextSlot();
      if (at > now) {
        this.#pumpAt(at);
        break;
      }
      const item = this.#work.takeNext();
      if (item?.run.maySend) this.#send(item, now);
      else if (item) this.#work.giveBack(item);
    }
    if (!this.#isClosed && clock.now() < this.#leaseUntil) this.#claims.claimIfDue();
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
    this.#leave(run, recipient).then(
      (result) => this.#onResult(item, now, ticket, result),
      (error: unknown) => {
        this.#options.logger.error('A channel threw instead of answering', { error: String(error) });
        this.#onResult(item, now, ticket, { outcome: 'unknown', reason: 'connection_lost' });
      },
    );
  }

  /** Whatever is wrong with one message: it ends no other, and not the process. */
  #leave(run: RunWork, recipient: ClaimedRecipient): Promise<SendResult> {
    try {
      return this.#options.delivery.channel.send(run.messageTo(recipient), this.#signal);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onResult(item: SendItem, leftAt: number, ticket: PaceTicket | null, result: SendResult): void {
    const now = this.#options.clock.now();
    this.#inFlight -= 1;
    this.#tempo.ended(ticket, now);
    const { settlement, effect } = decideSettlement(result, {
      attempt: item.recipient.attempt,
      now,
      jitter: this.#options.random(),
      isInOther: item.run.isInOther(item.recipient),
    });
    const settle = () => this.#work.settle(item, settlement, now);
    const said = effect && this.#saidOfPerson(effect, item);
    if (said) this.#remember(said, settle);
    else settle();
    if (effect?.kind === 'channel_trouble') {
      if (this.#tempo.gotNoAnswer(leftAt, now)) this.#onHold(now);
    } else this.#tempo.answered();
    if (effect) this.#applyEffect(effect, item, now);
    // The last results of a campaign need not wait for company.
    if (this.#inFlight === 0 && this.#work.waiting === 0 && item.run.cursor >= item.run.claimableAt(now))
      void this.#work.flush();
    this.#pump();
  }

  /** What an earlier sender left in doubt, where the platform delivers each try once. */
  #repeat(run: RunWork, seqs: readonly number[]): void {
    const { pool, lease, delivery, clock } = this.#options;
    if (!delivery.ignoresRepeats) return;
    const options = {
      ...{ pool, delivery, clock, workspaceId: lease.workspaceId },
      maySend: () => !this.#isClosed && run.maySend && clock.now() < this.#leaseUntil,
      onLeave: () => this.#tempo.leaveUnasked(clock.now()),
    };
    this.#runs.inBackground(() => repeatLost(options, run, seqs));
  }

  #applyEffect(effect: SettleEffect, item: SendItem, now: number): void {
    switch (effect.kind) {
      case 'channel_trouble':
      case 'opt_out':
      case 'hold_recipient':
        return;
      case 'hold_channel':
        if (this.#tempo.hold(effect.untilMs)) this.#onHold(now);
        return;
      case 'lower_rate':
        if (this.#tempo.lower(now)) this.#rememberTempo();
        return;
      case 'stop_campaign':
        if (item.run.maySend) this.#runs.pauseRun(item.run, 'campaign_stopped', effect);
        return;
      case 'stop_channel':
        // Messages that were in flight bring the same news again.
        if (!this.#runs.all.some((run) => run.maySend)) return;
        return this.#runs.pauseAll(effect);
    }
  }

  /** How to store what the platform says of the contact; null where it says nothing of it. */
  #saidOfPerson(effect: SettleEffect, item: SendItem): ((client: SqlClient) => Promise<void>) | null {
    const refused = { runNo: item.run.runNo, seq: item.recipient.seq, emit: this.#options.emit };
    if (effect.kind === 'opt_out') return (client) => recordOptOut(client, refused);
    if (effect.kind === 'hold_recipient') return (client) => holdRecipient(client, refused, effect.hours);
    return null;
  }

  /**
   * Stores what the platform says about a contact, and only then the result that says the same: a process that dies in between leaves the result in
   * doubt, and no opt-out that nobody knows of. It is true whoever sends for the channel by now: it is tried again until the database takes it, also when
   * the lease is lost.
   */
  #remember(store: (client: SqlClient) => Promise<void>, settle: () => void): void {
    const { pool } = this.#options;
    const remembering = this.#untilTaken(() => inTransaction(pool, store)).finally(settle);
    this.#remembering.add(remembering);
    this.#runs.inBackground(() => remembering.finally(() => this.#remembering.delete(remembering)));
  }

  /** Again and again while the database has a trouble that passes. */
  async #untilTaken(store: () => Promise<void>): Promise<void> {
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, longestRetryMs))
      try {
        return await store();
      } catch (error) {
        if (databaseTrouble(error) === undefined) throw error;
        await this.#wait(waitMs);
      }
  }

  #onHold(now: number): void {
    if (this.#tempo.nextSlot() - now > longWaitMs) this.#work.giveBackWaiting();
    this.#rememberTempo();
  }

  #rememberTempo(): void {
    const { pool, lease } = this.#options;
    this.#runs.inBackground(() => rememberRate(pool, lease, this.#tempo.remembered));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(ms, resolve));
  }
}
