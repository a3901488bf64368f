import { eachApart } from '@app/database/each-apart';
import { keepListening, type Listening } from '@app/database/keep-listening';
import type pg from 'pg';
import {
  type ChannelLease,
  channelIsFreeSql,
  releaseChannel,
  renewChannel,
  showAlive,
  takeChannel,
} from './channel-lease.ts';
import { ChannelSender } from './channel-sender.ts';
import { mayGoOnInBudgetSql } from '../pace/budget.ts';
import { isQuietSql } from '../pace/quiet-runs.ts';
import { mayGoOnTodaySql, utcDayOf } from '../pace/daily-allowance.ts';
import {
  type DeliveryChannel,
  type DeliveryClock,
  type DeliveryLogger,
  type PublishDelivery,
  systemClock,
} from '../delivery-host.ts';
import { EngineTasks } from './engine-tasks.ts';
import { channelChangedName, messageLeftName, wakeChannelName } from './engine-wake.ts';
import { sharesContactsSql } from '../follow-merges.ts';
import { applyDeltas } from '../statuses/apply-deltas.ts';
import { applyRollups } from '@app/database/analytics/apply-rollups';
import { ProgressPublisher } from './progress-publisher.ts';
import { replyChannelName } from '../pace/reply-rate.ts';
import { MessageSender } from '../messages/message-sender.ts';
import { pauseRunFor } from '../run-controls.ts';
import type { SqlClient } from '../sql-client.ts';
import { emitRuns, type EmitDelivery } from '../emit-runs.ts';
import { inTransaction } from '../transaction.ts';

export type DeliveryEngineOptions = {
  /** Connections of system scope; one of them listens all the time. */
  systemPool: pg.Pool;
  /** What sends for a channel; null when it cannot send (not connected, deleted): its runs pause and say so. */
  channelFor(channelId: string): Promise<DeliveryChannel | null>;
  /** The connection or the limits of a channel changed: what `channelFor` gave for it is not used any more. */
  evictChannel?(channelId: string): Promise<void>;
  /** For screens, behind the commit: it may be lost. */
  publish: PublishDelivery;
  /** For everybody who must not miss what happened, within its transaction. */
  emit: EmitDelivery;
  logger: DeliveryLogger;
  /** Different for every process and every start of it. */
  ownerId: string;
  clock?: DeliveryClock;
  random?: () => number;
  /** How long a process may be silent before another takes over its channels. */
  leaseMs?: number;
  pollMs?: number;
};

export type DeliveryEngine = {
  start(): Promise<void>;
  /** Awaits what is in flight for at most `graceMs`, stores it and hands the channels over. */
  stop(graceMs?: number): Promise<void>;
};

const applyEveryMs = 250;
const applyRollupsEveryMs = 1_000;
const sweepEveryMs = 1_000;
const reopenGraceMs = 5_000;
const noLook = 'The database could not be asked for deliveries';
const noMessages = 'The database could not be asked for messages';
const noDatabase = 'The delivery engine could not reach the database';

/** The sender of campaigns. Run it in as many processes as wanted: they share the work through the database. */
export function createDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const engine = new Engine(options);
  return { start: () => engine.start(), stop: (graceMs = 5_000) => engine.stop(graceMs) };
}

type RunNo = { run_no: string };
type Held = { lease: ChannelLease; sender: ChannelSender };

class Engine {
  readonly #options: DeliveryEngineOptions;
  readonly #clock: DeliveryClock;
  readonly #leaseMs: number;
  readonly #held = new Map<string, Held>();
  /** Channels that are being taken, and whether they changed since `channelFor` was asked. */
  readonly #taking = new Map<string, { isStale: boolean }>();
  readonly #progress: ProgressPublisher;
  readonly #acts: EngineTasks;
  /** Replies and other single messages, which need no lease. */
  readonly #messages: MessageSender;
  /** Leases are kept alive while the rest ends. */
  readonly #renewals: EngineTasks;
  #listening: Listening | undefined;
  #isLooking = false;
  #isTelling = false;
  #mustLookAgain = false;

  constructor(options: DeliveryEngineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = options.leaseMs ?? 5_000;
    this.#acts = new EngineTasks(this.#clock, options.logger);
    this.#renewals = new EngineTasks(this.#clock, options.logger);
    const { systemPool: pool, channelFor, emit, logger, ownerId, random = Math.random } = options;
    this.#messages = new MessageSender({
      ...{ pool, channelFor, emit, logger, ownerId, random },
      clock: this.#clock,
    });
    this.#progress = new ProgressPublisher(options.systemPool, options.publish, options.logger);
  }

  async start(): Promise<void> {
    this.#listening = await this.#listen();
    this.#acts.repeat(this.#options.pollMs ?? 500, noLook, () => this.#look());
    this.#renewals.repeat(this.#leaseMs / 10, noDatabase, () => this.#renew());
    this.#acts.repeat(applyEveryMs, noDatabase, () => this.#fold());
    this.#acts.repeat(applyRollupsEveryMs, noDatabase, () => applyRollups(this.#options.systemPool));
    this.#acts.repeat(this.#options.pollMs ?? 500, noMessages, () => this.#messages.look());
    this.#acts.repeat(sweepEveryMs, noMessages, () => this.#messages.sweep());
    await this.#lookNow();
  }

  async stop(graceMs: number): Promise<void> {
    this.#acts.close();
    await Promise.allSettled([
      this.#messages.stop(graceMs),
      ...[...this.#held].map(async ([channelId, { sender }]) => {
        await sender.stop(graceMs);
        this.#held.delete(channelId);
      }),
    ]);
    await this.#acts.settle(graceMs + 1_000);
    this.#renewals.close();
    await this.#renewals.settle(1_000);
    this.#held.clear();
    await this.#fold().catch(() => undefined);
    // Figures for screens: that something ended, or was paused, was told where it happened.
    await this.#progress.flush().catch(() => undefined);
    await this.#listening?.close();
  }

  #listen(): Promise<Listening> {
    const { systemPool, ownerId, logger } = this.#options;
    return keepListening({
      pool: systemPool,
      channels: [wakeChannelName, replyChannelName, channelChangedName, messageLeftName],
      onNotification: (channel, payload) => {
        if (channel === wakeChannelName) this.#wake(payload);
        if (channel === messageLeftName) void this.#acts.begin(noMessages, () => this.#messages.look());
        if (channel === replyChannelName) this.#noteReply(payload);
        if (channel === channelChangedName)
          void this.#acts.begin('A changed channel could not be reopened', () => this.#reopen(payload));
      },
      onGap: () => void this.#lookNow(),
      onTrouble: (error) => logger.warn('The engine does not hear of changes', { error: String(error) }),
      beat: (client) => showAlive(client, ownerId),
    });
  }

  #wake(channelId: string): void {
    const held = this.#held.get(channelId);
    if (held) void held.sender.refresh();
    else void this.#lookNow();
  }

  #noteReply(payload: string): void {
    const [channelId = '', waitMs = '0'] = payload.split(' ');
    this.#held.get(channelId)?.sender.noteReply(this.#clock.now() + Number(waitMs));
  }

  /** What is in flight ends on the old connection, the rest leaves on the new one. */
  async #reopen(channelId: string): Promise<void> {
    const held = this.#held.get(channelId);
    const taking = this.#taking.get(channelId);
    if (taking) taking.isStale = true;
    try {
      await held?.sender.stop(reopenGraceMs);
      if (held && this.#held.get(channelId) === held) this.#held.delete(channelId);
      await this.#options.evictChannel?.(channelId);
    } finally {
      if (held) await this.#lookNow();
    }
  }

  #lookNow(): Promise<void> {
    return this.#acts.begin(noLook, () => this.#look());
  }

  /** Finds channels with work that nobody sends for, and gives back those without. */
  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#mustLookAgain = true;
      return;
    }
    this.#isLooking = true;
    try {
      do {
        this.#mustLookAgain = false;
        await this.#findWork();
      } while (this.#mustLookAgain && !this.#acts.isClosed);
    } finally {
      this.#isLooking = false;
    }
  }

  async #findWork(): Promise<void> {
    const { systemPool } = this.#options;
    for (const [channelId, { sender }] of this.#held) {
      if (sender.isIdle) {
        this.#held.delete(channelId);
        await sender.stop(0);
      } else void sender.refresh();
    }
    const now = this.#clock.now();
    const rested = `r.completed_at IS NULL AND r.state = 'paused' AND NOT ${isQuietSql('to_timestamp($1::double precision / 1000)')}
      AND (r.resume_at <= to_timestamp($1::double precision / 1000) OR ${mayGoOnTodaySql('$2')}
        OR ${mayGoOnInBudgetSql})`;
    const given = [now, utcDayOf(now).day];
    const { rows: found } = await systemPool.query<RunNo>(
      `SELECT r.run_no FROM delivery_runs r WHERE ${rested} ORDER BY 1`,
      given,
    );
    // One of a workspace that is being replaced is looked at again, and may be gone by then.
    const goOn = ({ run_no: runNo }: RunNo) =>
      this.#changeRun(runNo, async (client) => {
        const { rowCount } = await client.query(
          `UPDATE delivery_runs r SET state = 'ready', pause_reason = NULL, pause_code = NULL, pause_detail = NULL, resume_at = NULL
             WHERE r.run_no = $3 AND ${rested} AND ${sharesContactsSql('r.workspace_id')}`,
          [...given, runNo],
        );
        return rowCount === 1;
      });
    await eachApart(found, goOn, this.#onFault('A paused run could not go on'));
    const { rows } = await systemPool.query<{ channel_id: string }>(
      `SELECT DISTINCT r.channel_id FROM delivery_runs r LEFT JOIN delivery_channels d USING (channel_id)
       WHERE r.completed_at IS NULL AND (r.state <> 'paused' OR (r.low_water < r.cursor AND d.owner IS NOT NULL))
         AND ${channelIsFreeSql(this.#leaseMs)}`,
    );
    const take = async ({ channel_id: channelId }: { channel_id: string }) => {
      if (!this.#held.has(channelId) && !this.#acts.isClosed) await this.#take(channelId);
    };
    await eachApart(rows, take, this.#onFault('A channel could not be taken'));
  }

  /** What fails of one channel or run, such as credentials that cannot be opened, is tried again the next time and keeps no other waiting. */
  #onFault(failure: string): (error: unknown, of: object) => void {
    return (error, of) => this.#options.logger.warn(failure, { ...of, error: String(error) });
  }

  async #take(channelId: string): Promise<void> {
    const taking = { isStale: false };
    this.#taking.set(channelId, taking);
    try {
      await this.#openSender(channelId);
    } finally {
      this.#taking.delete(channelId);
    }
    if (taking.isStale) return this.#reopen(channelId);
    await this.#held.get(channelId)?.sender.refresh();
  }

  async #openSender(channelId: string): Promise<void> {
    const { systemPool, channelFor, ownerId, logger, random = Math.random } = this.#options;
    const delivery = await channelFor(channelId);
    if (!delivery) return this.#pauseForMissingChannel(channelId);
    const askedAt = this.#clock.now();
    const lease = await takeChannel(systemPool, channelId, ownerId, this.#leaseMs);
    if (!lease) return;
    // From here to `held` nothing is awaited: `stop` finds this channel there, or it is given back.
    if (this.#acts.isClosed) return releaseChannel(systemPool, lease);
    const sender = new ChannelSender({
      pool: systemPool,
      lease,
      delivery,
      clock: this.#clock,
      random,
      logger,
      emit: this.#options.emit,
      leaseUntil: askedAt + this.#leaseMs,
      onRunState: (runNo) => {
        this.#progress.stateChanged(runNo);
        this.#tellSoon();
      },
    });
    this.#held.set(channelId, { lease, sender });
  }

  async #pauseForMissingChannel(channelId: string): Promise<void> {
    const { systemPool } = this.#options;
    const { rows } = await systemPool.query<RunNo>(
      `SELECT run_no FROM delivery_runs WHERE channel_id = $1 AND state IN ('ready', 'running') ORDER BY 1`,
      [channelId],
    );
    for (const { run_no: runNo } of rows)
      await this.#changeRun(runNo, (client) =>
        pauseRunFor(client, Number(runNo), { reason: 'channel_missing' }),
      );
  }

  async #changeRun(runNo: string, change: (client: SqlClient) => Promise<boolean>): Promise<void> {
    const { systemPool, emit } = this.#options;
    const isChanged = await inTransaction(systemPool, async (client) => {
      const changed = await change(client);
      if (changed) await emitRuns(client, emit, [Number(runNo)]);
      return changed;
    });
    if (isChanged) this.#progress.stateChanged(Number(runNo));
  }

  async #renew(): Promise<void> {
    for (const [channelId, held] of this.#held) {
      const askedAt = this.#clock.now();
      if (await renewChannel(this.#options.systemPool, held.lease, this.#leaseMs)) {
        held.sender.renewed(askedAt + this.#leaseMs);
        continue;
      }
      // Given back on purpose while this was asked.
      if (this.#held.get(channelId) !== held) continue;
      this.#options.logger.warn('Another process took over a channel', { channelId });
      held.sender.abandon();
      this.#held.delete(channelId);
    }
  }

  async #fold(): Promise<void> {
    for (const runNo of await applyDeltas(this.#options.systemPool)) this.#progress.moved(runNo);
    await this.#progress.flush();
  }

  /** A change of state is told at once, not with the next figures. */
  #tellSoon(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#acts.beginAfter(20, 'A change could not be told', () => {
      this.#isTelling = false;
      return this.#progress.flush();
    });
  }
}
