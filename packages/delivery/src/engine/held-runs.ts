import type { StopScope } from '@app/domain/messaging/rejection';
import type pg from 'pg';
import type { ChannelLease } from './channel-lease.ts';
import { takeRuns } from './channel-lease.ts';
import {
  type CancelStep,
  cancelNextRecipients,
  completeRun,
  readChannelRuns,
  readRunMessage,
  saveLowWater,
} from './channel-runs.ts';
import type { ClaimedWork } from '../recipients/claimed-work.ts';
import type { PauseReason } from '../delivery-events.ts';
import type { DeliveryLogger } from '../delivery-host.ts';
import { pauseRunFor, stopChannel } from '../run-controls.ts';
import { RunWork } from '../recipients/run-work.ts';
import { freezeRest } from '../start-run.ts';
import { emitRuns, type EmitDelivery } from '../emit-runs.ts';
import type { SqlClient } from '../sql-client.ts';
import { inTransaction } from '../transaction.ts';

export type HeldRunsOptions = {
  pool: pg.Pool;
  now(): number;
  lease: ChannelLease;
  logger: DeliveryLogger;
  emit: EmitDelivery;
  work: ClaimedWork;
  /** Whose recipients are being claimed at this moment: its cursor in the database may be ahead. */
  claimingRun(): RunWork | null;
  /** There may be something to send now, or room for it. */
  onChange(): void;
  onRunState(runNo: number): void;
  /** An earlier sender of the run died a moment ago and left these recipients in doubt. */
  onLost(run: RunWork, seqs: readonly number[]): void;
};

/** The unfinished runs of a channel as the database and people want them: found, frozen, paused, cancelled, completed. */
export class HeldRuns {
  readonly #options: HeldRunsOptions;
  readonly #runs = new Map<number, RunWork>();
  #isClosed = false;
  #isRefreshing = false;
  #needsRefresh = false;
  #turn = 0;
  #background = 0;
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(options: HeldRunsOptions) {
    this.#options = options;
  }

  get all(): RunWork[] {
    return [...this.#runs.values()];
  }

  find(runNo: number): RunWork | undefined {
    return this.#runs.get(runNo);
  }

  /** Nothing is being read or written, and every run waits for a person. */
  get isIdle(): boolean {
    return (
      !this.#isRefreshing &&
      !this.#needsRefresh &&
      this.#background === 0 &&
      this.all.every((run) => run.state === 'paused')
    );
  }

  /** The runs of a channel take turns. */
  next(now: number): RunWork | undefined {
    const ready = this.all.filter((run) => run.hasWork(now));
    this.#turn += 1;
    return ready[this.#turn % Math.max(1, ready.length)];
  }

  /** When the next held run may begin, the next hour of one has come or the next try is due (milliseconds since 1970); Infinity when nothing waits for its time. */
  nextAt(now: number): number {
    const waiting = this.all.filter((run) => run.maySend);
    return Math.min(
      ...waiting.map((run) =>
        run.heldUntil > now ? run.heldUntil : Math.min(run.nextRetryAt ?? Infinity, run.nextGateAt(now)),
      ),
    );
  }

  /** Reads again what people decided: new runs, pauses, resumes, cancellations. */
  async refresh(): Promise<void> {
    this.#needsRefresh = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#needsRefresh && !this.#isClosed) {
        this.#needsRefresh = false;
        await this.read();
      }
    } catch (error) {
      this.#options.logger.warn('Runs of a channel could not be read', { error: String(error) });
    } finally {
      this.#isRefreshing = false;
    }
    this.#options.onChange();
  }

  /** From now on nothing more is read or completed. */
  close(): void {
    this.#isClosed = true;
  }

  async saveLowWater(): Promise<void> {
    const { pool, lease } = this.#options;
    for (const run of this.all) await saveLowWater(pool, run.runNo, lease, run.lowWater());
  }

  /** A run whose last recipient is settled becomes completed, or cancelled for good. */
  noteSettled(run: RunWork): void {
    if (run.state === 'cancelled' && run.unsettled === 0) void this.refresh();
    this.finishIfDone(run);
  }

  finishIfDone(run: RunWork): void {
    if (!run.isDone || this.#isClosed) return;
    const { lease, onRunState } = this.#options;
    this.inBackground(async () => {
      if (await this.#changeRun(run, (client) => completeRun(client, run.runNo, lease))) {
        this.#runs.delete(run.runNo);
        onRunState(run.runNo);
      }
      // Else something changed meanwhile: whoever changed it wakes us, or the next look finds it.
    });
  }

  /** Pauses every run of the channel, and the channel itself. */
  pauseAll(cause: { code: string; detail: string; blocks: StopScope }): void {
    const { pool, lease, emit, onRunState } = this.#options;
    const runs = this.all.filter((run) => run.maySend);
    this.#pauseMeanwhile(runs, async () => {
      await inTransaction(pool, async (client) =>
        emitRuns(client, emit, await stopChannel(client, lease.channelId, cause)),
      );
      for (const run of runs) onRunState(run.runNo);
    });
  }

  pauseRun(
    run: RunWork,
    reason: PauseReason,
    cause: { code?: string; detail?: string; resumeAt?: number } = {},
  ): void {
    this.#pauseMeanwhile([run], async () => {
      await this.#changeRun(run, (client) => pauseRunFor(client, run.runNo, { reason, ...cause }));
      this.#options.onRunState(run.runNo);
    });
  }

  /** Nothing leaves from now on, also while the pause is being stored. */
  #pauseMeanwhile(runs: readonly RunWork[], store: () => Promise<void>): void {
    for (const run of runs) {
      run.state = 'paused';
      run.isPausing = true;
      this.#options.work.giveBackWaiting(run);
    }
    this.inBackground(async () => {
      try {
        await store();
      } finally {
        for (const run of runs) run.isPausing = false;
      }
      await this.refresh();
    });
  }

  /**
   * Reads the runs once, after the reads that are under way. Throws when the database does. Two reads at once would each
   * make an object for a new run. Recipients are claimed from the first; the second replaces it, does not know of the claim and gives them back, so that
   * they get the message a second time.
   */
  read(): Promise<void> {
    const read = this.#lastRead.then(() => this.#readNow());
    this.#lastRead = read.catch(() => undefined);
    return read;
  }

  async #readNow(): Promise<void> {
    const { pool, now, lease, work, claimingRun, onRunState, onLost } = this.#options;
    const lost = await inTransaction(pool, (client) => takeRuns(client, lease));
    const claimedBefore = claimingRun();
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
        run.claimable = row.claimable;
        run.gates = row.gates;
        run.isFrozen = row.isFrozen;
        run.nextRetryAt = row.nextRetryAt;
      }
      run.heldUntil = row.heldForMs > 0 ? now() + row.heldForMs : 0;
      // Claimed by a statement whose answer never reached us: nothing of it was sent.
      if (run !== claimedBefore && run !== claimingRun() && row.cursor > run.cursor)
        work.giveBackSlice(run, row.cursor);
      if (run.maySend && row.channelStopped) this.pauseRun(run, 'channel_stopped', row.channelStopped);
      if (!run.maySend) work.giveBackWaiting(run);
      // One without a head has nothing to send before; it is frozen in the time in which its start can be taken back.
      const isDue = run.cursor > 0 ? run.maySend : run.total === 0 && run.state !== 'cancelled';
      if (!run.isFrozen && isDue) this.freeze(run);
      if (run.state === 'cancelled' && run.unsettled === 0) {
        if (run.isFrozen) this.#cancelRest(run);
        else this.freeze(run);
      }
      if (run.isDone && run !== claimingRun()) await work.giveBackForgotten(run);
      const seqs = lost.get(run.runNo) ?? [];
      if (lease.isFresh && seqs.length > 0) onLost(run, seqs);
      this.finishIfDone(run);
    }
    for (const run of this.#runs.values())
      if (!present.has(run.runNo) && run.unsettled === 0) this.#runs.delete(run.runNo);
  }

  freeze(run: RunWork): void {
    if (run.isFreezing) return;
    run.isFreezing = true;
    this.inBackground(async () => {
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
    this.inBackground(async () => {
      const { lease, work, onRunState } = this.#options;
      const isClosed = (step: CancelStep) => step === 'closed';
      try {
        let step: CancelStep = 'more';
        while (step === 'more' && !this.#isClosed)
          step = await this.#changeRun(
            run,
            (client) => cancelNextRecipients(client, run.runNo, lease),
            isClosed,
          );
        if (step === 'closed') this.#runs.delete(run.runNo);
        // Retries whose claim we never heard of are given back; settling them looks here again.
        if (step === 'in_flight') await work.giveBackForgotten(run);
      } finally {
        run.isFreezing = false;
      }
      onRunState(run.runNo);
    });
  }

  /** Changes a run and, if that changed how it stands, tells it in the same transaction. */
  #changeRun<Result>(
    run: RunWork,
    change: (client: SqlClient) => Promise<Result>,
    isNews: (result: Result) => boolean = Boolean,
  ): Promise<Result> {
    const { pool, emit } = this.#options;
    return inTransaction(pool, async (client) => {
      const result = await change(client);
      if (isNews(result)) await emitRuns(client, emit, [run.runNo]);
      return result;
    });
  }

  /** Work that keeps the channel from counting as idle; what it throws is logged. */
  inBackground(work: () => Promise<unknown>): void {
    this.#background += 1;
    work()
      .catch((error: unknown) =>
        this.#options.logger.warn('Background work of a channel failed', { error: String(error) }),
      )
      .finally(() => {
        this.#background -= 1;
        this.#options.onChange();
      });
  }
}
