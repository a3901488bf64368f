import type pg from 'pg';
import type { ChannelLease } from '../engine/channel-lease.ts';
import type { ChannelTempo } from '../pace/channel-tempo.ts';
import {
  type ClaimedFacts,
  type ClaimedRecipient,
  claimRetries,
  claimSlice,
  isCapped,
} from './claim-recipients.ts';
import type { ClaimedWork } from './claimed-work.ts';
import {
  chargeBudget,
  chargeOfRecipient,
  lockBudget,
  noteBudgetFull,
  type BudgetRoom,
  type PriceOf,
} from '../pace/budget.ts';
import type { DailyLimits } from '@app/domain/channels/channel-limits';
import type { PromotionCap } from '@app/domain/channels/promotion-cap';
import { isLimited, lockDailyAllowance, useDailyAllowance } from '../pace/daily-allowance.ts';
import type { DeliveryClock, DeliveryLogger } from '../delivery-host.ts';
import type { HeldRuns } from '../engine/held-runs.ts';
import type { RunWork } from './run-work.ts';
import type { SqlClient } from '../sql-client.ts';
import { inTransaction } from '../transaction.ts';

export type ClaimAheadOptions = {
  pool: pg.Pool;
  lease: ChannelLease;
  clock: DeliveryClock;
  logger: DeliveryLogger;
  work: ClaimedWork;
  runs: HeldRuns;
  tempo: ChannelTempo;
  /** How many messages may leave in a day. */
  daily: DailyLimits;
  /** How many marketing messages one person may get in a week; null for any number. */
  marketingPerWeek: number | null;
  /** A country's rule for promotional messages; null where there is none. */
  promotionCap: PromotionCap | null;
  /** What a message may cost; null without a budget for the month. */
  priceOf: PriceOf | null;
  /** Nothing is in flight, waiting or unwritten. */
  isSettled(): boolean;
  /** The next moment at which there is something to do. */
  wakeAt(at: number): void;
  /** A claim ended, well or not. */
  onEnd(): void;
  onRunState(runNo: number): void;
};

/** Nothing is claimed, and what was claimed is given back, when nothing can leave for this long. */
export const longWaitMs = 1_000;

/** A day's allowance without a limit. */
const ANY_NUMBER = 2_147_483_647;

/** What one claim takes: the next of the audience up to a place, or tries that are due. */
type Claim = { kind: 'slice'; from: number; wanted: number } | { kind: 'retries'; wanted: number };

type Claimed =
  | { outcome: 'claimed'; recipients: ClaimedRecipient[]; upto: number }
  /** The run is not ours any more, or may not send. */
  | { outcome: 'not_ours' }
  | { outcome: 'daily_limit'; resumeAt: number }
  | { outcome: 'budget'; resumeAt: number };

/** Takes recipients of the channel's runs a little before they can leave, one claim at a time. */
export class ClaimAhead {
  readonly #options: ClaimAheadOptions;
  #isClaiming = false;
  #run: RunWork | null = null;
  #waitsForAllowance = false;

  constructor(options: ClaimAheadOptions) {
    this.#options = options;
  }

  get isClaiming(): boolean {
    return this.#isClaiming;
  }

  /** Whose cursor in the database may be ahead of what we know. */
  get run(): RunWork | null {
    return this.#run;
  }

  /** Something was settled: if it did not leave, the day has room again. */
  noteSettled(): void {
    this.#waitsForAllowance = false;
  }

  /** Claims when there is room and something to claim. */
  claimIfDue(): void {
    const { clock, work, runs, tempo, logger } = this.#options;
    if (this.#isClaiming || this.#waitsForAllowance || work.isFull) return;
    // Asked after every message: most often there is enough, however many runs share the channel.
    if (work.waiting > tempo.claimBelow(tempo.sliceSize(1))) return;
    const now = clock.now();
    const size = tempo.sliceSize(runs.all.filter((run) => run.hasWork(now)).length);
    if (work.waiting > tempo.claimBelow(size)) return;
    const run = runs.next(now);
    if (!run) {
      const at = runs.nextAt(now);
      if (at !== Infinity) this.#options.wakeAt(Math.max(at, now + 1));
      return;
    }
    const slot = tempo.nextSlot();
    if (slot > now + longWaitMs / 2) return this.#options.wakeAt(slot - longWaitMs / 4);
    this.#isClaiming = true;
    this.#run = run;
    this.#claim(run, size)
      .catch(async (error: unknown) => {
        logger.warn('Recipients could not be claimed', { runNo: run.runNo, error: String(error) });
        // Whether the claim committed is not known: the rows count as in flight until the cursor is read again.
        await this.#recover(run);
      })
      .finally(() => {
        this.#isClaiming = false;
        this.#run = null;
        this.#options.onEnd();
      });
  }

  async #claim(run: RunWork, size: number): Promise<void> {
    const { clock, tempo, work, runs } = this.#options;
    const now = clock.now();
    const areRetries = run.nextRetryAt !== null && run.nextRetryAt <= now;
    const claim: Claim = areRetries
      ? { kind: 'retries', wanted: size }
      : { kind: 'slice', from: run.cursor, wanted: Math.min(size, run.claimableAt(now) - run.cursor) };
    const claimed = await this.#take(run, claim, now);
    if (claimed.outcome === 'daily_limit' || claimed.outcome === 'budget')
      return this.#waitForAllowance(run, claimed);
    if (claimed.outcome === 'not_ours') {
      run.state = run.maySend ? 'paused' : run.state;
      return void runs.refresh();
    }
    const { recipients, upto } = claimed;
    if (claim.kind === 'retries') {
      run.unsettled += recipients.length;
      run.takeInHand(recipients);
      work.accept(run, recipients, null);
    } else {
      tempo.noteClaim(clock.now() - now);
      work.accept(run, recipients, run.openSlice(claim.from, upto, recipients.length));
    }
    run.clearDoubt(recipients);
    if (recipients.length === 0) runs.finishIfDone(run);
    if (claim.kind === 'retries') {
      this.#run = null;
      return runs.read();
    }
    // Only now: the first messages come before the work of freezing the others.
    if (!run.isFrozen) runs.freeze(run);
    if (run.state === 'ready') {
      run.state = 'running';
      this.#options.onRunState(run.runNo);
    }
  }

  /**
   * With a daily limit or a budget, what is handed out and what is counted commit together. Where marketing for each person is limited, one
   * claim of the workspace sees what all before it have taken. Those who must not get the message any more do not
   * count; a retry takes as much as is due, not a slice.
   */
  async #take(run: RunWork, claim: Claim, now: number): Promise<Claimed> {
    const { pool, lease, daily, priceOf } = this.#options;
    const isCosting = priceOf !== null && run.category !== 'service';
    const isCounted = isLimited(daily) || isCapped(this.#factsOf(run));
    if (!isCounted && !isCosting) return this.#takeFrom(pool, run, claim, claim.wanted, now);
    return inTransaction(pool, async (client) => {
      const { left, day, nextDayAt } = isCounted
        ? await lockDailyAllowance(client, lease.workspaceId, daily, now)
        : { left: ANY_NUMBER, day: '', nextDayAt: 0 };
      if (left === 0) return { outcome: 'daily_limit', resumeAt: nextDayAt };
      const room = isCosting ? await lockBudget(client, lease.workspaceId, now) : null;
      const wanted = Math.min(claim.wanted, left);
      const claimed = room
        ? await this.#takeWithin(client, run, claim, wanted, { now, room })
        : await this.#takeFrom(client, run, claim, wanted, now);
      if (claimed.outcome !== 'claimed' || !isLimited(daily)) return claimed;
      const counted = claimed.recipients.filter((recipient) => recipient.cancelReason === null);
      for (const recipient of counted) recipient.day = day;
      run.holdInDoubt(counted);
      await useDailyAllowance(client, lease.workspaceId, day, {
        count: counted.length,
        ofKind: daily.ofKind,
      });
      return claimed;
    });
  }

  /** No more than the budget has room for; what is charged for whom commits with the claim. Each turn takes fewer than the one before. */
  async #takeWithin(
    client: SqlClient,
    run: RunWork,
    claim: Claim,
    wanted: number,
    { now, room }: { now: number; room: BudgetRoom },
  ): Promise<Claimed> {
    const { priceOf } = this.#options;
    const costOf = ({ cancelReason, address }: ClaimedRecipient) =>
      cancelReason === null && priceOf !== null ? priceOf(address, run.category) : 0;
    await client.query('SAVEPOINT claim');
    for (let count = wanted; ;) {
      const claimed = await this.#takeFrom(client, run, claim, count, now);
      if (claimed.outcome !== 'claimed') return claimed;
      const { recipients } = claimed;
      let { left } = room;
      const first = recipients.findIndex((recipient) => (left -= costOf(recipient)) < 0);
      const tooMuch = recipients[first];
      if (!tooMuch) {
        const charges = recipients.map((recipient) => ({
          ref: chargeOfRecipient(run.runNo, recipient.seq, recipient.attempt),
          amount: costOf(recipient),
        }));
        await chargeBudget(client, room, charges);
        return claimed;
      }
      await client.query('ROLLBACK TO SAVEPOINT claim');
      count = claim.kind === 'slice' ? tooMuch.seq - claim.from : first;
      if (count > 0) continue;
      await noteBudgetFull(client, room, costOf(tooMuch));
      return { outcome: 'budget', resumeAt: room.nextMonthAt };
    }
  }

  #factsOf({ facts }: RunWork): ClaimedFacts {
    const { marketingPerWeek, promotionCap } = this.#options;
    return { ...facts, marketingPerWeek, promotionCap };
  }

  async #takeFrom(
    client: SqlClient,
    run: RunWork,
    claim: Claim,
    count: number,
    now: number,
  ): Promise<Claimed> {
    const { lease } = this.#options;
    const facts = this.#factsOf(run);
    if (claim.kind === 'retries') {
      // Before it is asked: what is settled meanwhile may set it again.
      run.nextRetryAt = null;
      const except = run.held;
      const due = { limit: count, now, facts, except };
      return {
        outcome: 'claimed',
        recipients: await claimRetries(client, run.runNo, lease, due),
        upto: run.cursor,
      };
    }
    const upto = claim.from + count;
    const slice = { from: claim.from, upto, now, lowWater: run.lowWater(), facts };
    const recipients = await claimSlice(client, run.runNo, lease, slice);
    return recipients === null ? { outcome: 'not_ours' } : { outcome: 'claimed', recipients, upto };
  }

  /** What we hold ourselves may still come back; only when it cannot, the run waits for the next day, or month. */
  #waitForAllowance(
    run: RunWork,
    { outcome, resumeAt }: { outcome: 'daily_limit' | 'budget'; resumeAt: number },
  ): void {
    const { runs, isSettled } = this.#options;
    if (isSettled()) runs.pauseRun(run, outcome, { resumeAt });
    else this.#waitsForAllowance = true;
  }

  /**
   * A claim failed on the way: whether it committed is not known, but nothing of it was sent. What the database counts
   * as handed to us and we never received goes back.
   */
  async #recover(run: RunWork): Promise<void> {
    const { clock, work, runs } = this.#options;
    await new Promise<void>((resolve) => void clock.after(250, resolve));
    this.#run = null;
    await work.giveBackForgotten(run).catch(() => undefined); // the next refresh tries again
    await runs.refresh();
  }
}
