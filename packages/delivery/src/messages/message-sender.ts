import { advisoryLocks } from '@app/database/advisory-locks';
import { databaseTrouble } from '@app/database/query-error';
import { priorityRank } from '@app/domain/conversations/message-priority';
import type pg from 'pg';
import { mostInFlight, noteAnswer, noteTrouble, noTrouble, type Trouble } from '../core/trouble.ts';
import type { DeliveryChannel, DeliveryClock, DeliveryLogger } from '../delivery-host.ts';
import { SendSignal } from '../engine/send-signal.ts';
import { NoMomentYet } from '../pace/reply-rate.ts';
import type { EmitDelivery } from '../emit-runs.ts';
import { inTransaction } from '../transaction.ts';
import { bringFile, holdsFile, putBack, type Brought } from './bring-file.ts';
import { CALL_MS, cancelClaimed, claimMessage, isDueSql, type OwnMessage } from './claim-message.ts';
import { LONGEST_TRY_MS } from './message-outcome.ts';
import { giveUpExpired, giveUpLost, type LostMessage } from './give-up-messages.ts';
import { repeatMessage } from './repeat-message.ts';
import { releaseScheduled } from './release-scheduled.ts';
import { sendClaimed, emitCancelled, type Transact } from './send-claimed.ts';

export type MessageSenderOptions = {
  pool: pg.Pool;
  channelFor(channelId: string): Promise<DeliveryChannel | null>;
  emit: EmitDelivery;
  logger: DeliveryLogger;
  ownerId: string;
  clock: DeliveryClock;
  random: () => number;
};

const AGENT = priorityRank('agent');

type Due = { id: string; workspace_id: string; channel_id: string; priority: number };
/** How one number behaves at the moment: of those in flight some `wait` for their moment, and need nothing until then. */
type Behaviour = {
  trouble: Trouble;
  heldUntil: number;
  inFlight: number;
  waiting: number;
  /** Of those in flight, the ones of bots and flows. */
  behindAgents: number;
  /** By priority, from when on the number may have a moment: agents always find one. */
  from: { bot: number; flow: number };
};

/** That talk to the database or a platform. One of each number may go beyond it, so that numbers which answer slowly hold up no other. */
const MOST_AT_ONCE = 32;
const MOST_IN_ALL = 256;
const MOST_BEYOND = 8;
const MOST_OF_A_CHANNEL = 16;
/** Places that only agents' replies take, of the process; of a number it is half. */
const FOR_AGENTS = 8;
/** A message that fails by itself, or whose channel cannot be opened, is looked at again after this time. */
const PUT_OFF_SECONDS = 10;
/** So often at least the platform is asked anew to take a file. */
const FILE_RETRY_MS = 15_000;

/** Sends single messages: replies, bots, automations. Any number of processes may; whoever takes a message sends it. */
export class MessageSender {
  readonly #options: MessageSenderOptions;
  readonly #channels = new Map<string, Behaviour>();
  readonly #running = new Set<Promise<void>>();
  readonly #signal = new SendSignal();
  readonly #transact: Transact;
  #busy = 0;
  #isLooking = false;
  #mustLookAgain = false;
  #isClosed = false;

  constructor(options: MessageSenderOptions) {
    this.#options = options;
    this.#transact = (workspaceId, work) =>
      inTransaction(options.pool, (client) =>
        work(client, (fact, cause) => options.emit(client, workspaceId, fact, cause)),
      );
  }

  /** Finds what is due and begins to send it; resolves when that is begun. */
  async look(): Promise<void> {
    if (this.#isLooking) {
      this.#mustLookAgain = true;
      return;
    }
    this.#isLooking = true;
    try {
      do {
        this.#mustLookAgain = false;
        const free = Math.max(MOST_AT_ONCE - this.#busy, MOST_BEYOND);
        const found = await this.#findDue(free);
        for (const due of found) this.#begin(due);
        // Behind all that a busy channel has in line may stand what another one could send now.
        if (found.length === free) this.#mustLookAgain = true;
      } while (this.#mustLookAgain && !this.#isClosed);
    } finally {
      this.#isLooking = false;
    }
  }

  /** What a process that died left behind: in doubt if it was in the call, else anybody's again. And what waited for its time. */
  async sweep(): Promise<void> {
    if (this.#isClosed) return;
    const { pool, clock, logger } = this.#options;
    const onFault = (error: unknown, { id }: { id: string }) =>
      logger.warn('What became of a message could not be stored', { error: String(error), id });
    const look = { callMs: CALL_MS, aliveLock: advisoryLocks.engineAlive, onFault };
    for (const lost of await giveUpLost(pool, this.#transact, look)) this.#repeat(lost);
    const at = () => ({ now: clock.now(), onFault });
    await giveUpExpired(pool, this.#transact, at());
    while (!this.#isClosed && (await releaseScheduled(pool, this.#transact, at())));
  }

  /** Nothing begins any more; what is in the call is awaited for `graceMs`, then cut off. */
  async stop(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const { clock } = this.#options;
    const within = async (ms: number): Promise<void> => {
      let cancel = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        cancel = clock.after(ms, resolve);
      });
      await Promise.race([Promise.allSettled(this.#running), over]);
      cancel();
    };
    await within(graceMs);
    this.#signal.abort();
    await within(1_000);
  }

  /** Beside the sweep: a platform that answers slowly holds up nothing else. */
  #repeat(lost: LostMessage): void {
    const { channelFor, clock, logger } = this.#options;
    const running = channelFor(lost.channelId)
      .then((delivery) => delivery && repeatMessage({ transact: this.#transact, delivery, clock }, lost))
      .catch((error: unknown) =>
        logger.warn('A message in doubt could not be repeated', { error: String(error), id: lost.id }),
      )
      .then(() => void this.#running.delete(running));
    this.#running.add(running);
  }

  async #findDue(most: number): Promise<Due[]> {
    if (this.#isClosed || this.#busy >= MOST_IN_ALL) return [];
    const now = this.#options.clock.now();
    const known = [...this.#channels];
    const full = idsOf(known, (one) => one.heldUntil > now || !this.#mayBegin(one, AGENT));
    const bots = idsOf(known, (one) => one.from.bot > now || !this.#mayBegin(one, AGENT + 1));
    const flows = idsOf(known, (one) => one.from.flow > now);
    const { rows } = await this.#options.pool.query<Due>(
      `SELECT m.id, m.workspace_id, m.channel_id, m.priority FROM messages m
        WHERE ${isDueSql} AND m.channel_id <> ALL ($2::uuid[]) AND (m.priority = ${AGENT} OR m.channel_id <> ALL ($3::uuid[]))
          AND (m.priority <> ${priorityRank('flow')} OR m.channel_id <> ALL ($4::uuid[]))
          AND NOT EXISTS (SELECT FROM delivery_channels d WHERE d.channel_id = m.channel_id AND d.hold_until > clock_timestamp())
        ORDER BY m.priority, m.send_no LIMIT $1`,
      [most, full, bots, flows],
    );
    return rows;
  }

  #mayBegin(behaviour: Behaviour, priority: number): boolean {
    const ofChannel = mostInFlight(behaviour.trouble, MOST_OF_A_CHANNEL);
    if (behaviour.inFlight >= ofChannel) return false;
    const most = behaviour.inFlight === behaviour.waiting ? MOST_IN_ALL : MOST_AT_ONCE;
    if (priority === AGENT) return this.#busy < most;
    return behaviour.behindAgents < Math.max(1, ofChannel / 2) && this.#busy < most - FOR_AGENTS;
  }

  #begin(due: Due): void {
    const behaviour = this.#behaviourOf(due.channel_id);
    if (this.#isClosed || !this.#mayBegin(behaviour, due.priority)) return;
    const behind = due.priority === AGENT ? 0 : 1;
    this.#busy += 1;
    behaviour.inFlight += 1;
    behaviour.behindAgents += behind;
    const running = this.#send(due, behaviour)
      .catch((error: unknown) => {
        this.#options.logger.warn('A message could not be sent on', { error: String(error), id: due.id });
        // What passes by itself is no reason to wait.
        if (databaseTrouble(error) === undefined) return this.#putOff(due.id);
      })
      .catch((error: unknown) =>
        this.#options.logger.warn('A message could not be put off', { error: String(error), id: due.id }),
      )
      .finally(() => {
        behaviour.inFlight -= 1;
        behaviour.behindAgents -= behind;
        this.#busy -= 1;
        this.#running.delete(running);
        // What follows in its conversation may leave now.
        this.#lookAgain();
      });
    this.#running.add(running);
  }

  async #send(due: Due, behaviour: Behaviour): Promise<void> {
    const { channelFor, clock, random, ownerId: owner, pool, logger } = this.#options;
    const opened = await channelFor(due.channel_id).catch((error: unknown) => {
      logger.warn('A channel could not be opened', { error: String(error), channelId: due.channel_id });
      return 'closed' as const;
    });
    if (opened === 'closed') return this.#putOff(due.id);
    const claimed = await this.#transact(due.workspace_id, async (client, emit) => {
      const {
        perMinute = null,
        perDay = null,
        ofKind = null,
        marketingPerWeek = null,
        promotionCap = null,
        priceOf = null,
      } = opened?.limits ?? {};
      const takesUserIds = opened?.takesUserIds;
      const outcome = await claimMessage(client, {
        ...{ id: due.id, owner, now: clock.now(), takesUserIds },
        ...{ perMinute, perDay, ofKind, marketingPerWeek, promotionCap, priceOf },
      });
      if (outcome?.outcome === 'cancelled') await emitCancelled(client, outcome, emit);
      return outcome;
    }).catch((error: unknown) => {
      if (!(error instanceof NoMomentYet)) throw error;
      this.#waitForMoment(behaviour, due.priority, error.waitMs);
      return null;
    });
    if (claimed?.outcome !== 'claimed' || !opened) return;
    const bring = () => bringFile({ pool, clock, owner, uploads: opened.uploads }, claimed.message);
    const brought = holdsFile(claimed.message) ? await this.#aside(behaviour, bring) : await bring();
    if (brought.outcome === 'not_there') return this.#withoutFile(claimed.message, brought);
    let leftAt = clock.now();
    const wait = async (ms: number) => {
      await this.#waitFor(ms, behaviour);
      leftAt = clock.now();
    };
    const sent = await sendClaimed(
      {
        ...{ transact: this.#transact, channel: opened.channel, takesUserIds: opened.takesUserIds },
        ...{ clock, random, owner, signal: this.#signal, wait },
      },
      { ...claimed, content: brought.content },
    );
    this.#note(behaviour, sent.to, leftAt);
  }

  /** It is tried again a little later, and is told as failed when that goes on for too long. */
  async #putOff(id: string): Promise<void> {
    await this.#options.pool.query(
      `UPDATE messages SET not_before = clock_timestamp() + make_interval(secs => ${PUT_OFF_SECONDS}),
              give_up_at = coalesce(give_up_at, occurred_at + make_interval(secs => ${LONGEST_TRY_MS / 1_000}))
        WHERE id = $1 AND state = 'queued' AND owner IS NULL`,
      [id],
    );
  }

  /** Nothing of this priority, or behind it, is looked for until the number may have a moment. */
  #waitForMoment({ from }: Behaviour, priority: number, ms: number): void {
    const { clock } = this.#options;
    const until = clock.now() + ms;
    const isLonger = until > (priority === priorityRank('flow') ? from.flow : from.bot);
    from.flow = Math.max(from.flow, until);
    if (priority !== priorityRank('flow')) from.bot = Math.max(from.bot, until);
    if (isLonger) clock.after(ms, () => this.#lookAgain());
  }

  /** Its moment comes by itself. */
  #waitFor(ms: number, behaviour: Behaviour): Promise<void> {
    const { clock } = this.#options;
    return this.#aside(behaviour, () => new Promise<void>((resolve) => void clock.after(ms, resolve)));
  }

  /** What takes its time without a call of its own: meanwhile others have the place. */
  async #aside<Result>(behaviour: Behaviour, work: () => Promise<Result>): Promise<Result> {
    behaviour.waiting += 1;
    this.#busy -= 1;
    this.#lookAgain();
    try {
      return await work();
    } finally {
      behaviour.waiting -= 1;
      this.#busy += 1;
    }
  }

  /** Without its file nothing leaves: later, if the platform could not be asked, else never. */
  async #withoutFile(
    message: OwnMessage,
    { code, detail }: Extract<Brought, { outcome: 'not_there' }>,
  ): Promise<void> {
    const { pool, clock, random, ownerId: owner } = this.#options;
    const waited = clock.now() - message.at.getTime();
    if (code === 'platform_unreachable' && waited < LONGEST_TRY_MS) {
      const afterMs = Math.min(Math.max(waited, 1_000), FILE_RETRY_MS) * (0.75 + random() / 2);
      return putBack(pool, { id: message.id, owner, afterMs, code });
    }
    await this.#transact(message.workspaceId, async (client, emit) => {
      const outcome = await cancelClaimed(client, message, { owner, code, detail });
      if (outcome?.outcome === 'cancelled') await emitCancelled(client, outcome, emit);
    });
  }

  #lookAgain(): void {
    if (this.#isClosed) return;
    this.look().catch((error: unknown) =>
      this.#options.logger.warn('The database could not be asked for messages', { error: String(error) }),
    );
  }

  /** A platform that answers nothing must not put every reply in doubt. */
  #note(behaviour: Behaviour, to: string, leftAt: number): void {
    if (to === 'accepted' || to === 'refused') behaviour.trouble = noteAnswer(behaviour.trouble);
    if (to !== 'unknown') return;
    const now = this.#options.clock.now();
    const { trouble, holdMs } = noteTrouble(behaviour.trouble, leftAt, now);
    behaviour.trouble = trouble;
    if (holdMs !== null) behaviour.heldUntil = now + holdMs;
  }

  #behaviourOf(channelId: string): Behaviour {
    const known = this.#channels.get(channelId) ?? {
      trouble: noTrouble,
      heldUntil: 0,
      inFlight: 0,
      waiting: 0,
      behindAgents: 0,
      from: { bot: 0, flow: 0 },
    };
    this.#channels.set(channelId, known);
    return known;
  }
}

function idsOf(
  known: readonly (readonly [string, Behaviour])[],
  isOut: (one: Behaviour) => boolean,
): string[] {
  return known.flatMap(([channelId, behaviour]) => (isOut(behaviour) ? channelId : []));
}
