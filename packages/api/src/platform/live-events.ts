import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import { keepListening } from '@app/database/keep-listening';
import { databaseTrouble } from '@app/database/query-error';
import type { SqlQueries } from '@app/database/sql-queries';
import type { LiveTopic } from '@app/domain/live/live-topics';

/** One without an id is kept nowhere: who was away does not hear of it later. `resync` stands for events that were given up: whoever hears it reads everything anew. */
export type LiveEvent = {
  id: number | null;
  topic: LiveTopic | 'resync';
  payload: Record<string, unknown>;
  /** Told to the browsers of these people alone; without it to all of the workspace. */
  userIds?: ReadonlySet<string> | undefined;
};
export type LiveListener = (event: LiveEvent) => void;

export type LiveEvents = {
  /**
   * Stores the event and tells every process; call it after the change is committed. Never rejects, because the change
   * is saved: what cannot be told now is told as soon as the database can be reached.
   */
  publish(workspaceId: string, topic: LiveTopic, payload?: Record<string, unknown>): Promise<void>;
  /**
   * Hears every later event of the workspace, and of a gap, when some of them may be missing; the answer ends the
   * subscription.
   */
  subscribe(workspaceId: string, listener: LiveListener, onGap?: () => void): () => void;
  /** Tells the browsers at this process alone, where people are named only theirs, and keeps nothing. */
  tellHere(
    workspaceId: string,
    topic: LiveTopic,
    payload: Record<string, unknown>,
    userIds?: ReadonlySet<string>,
  ): void;
  /** Hears each stored event of every workspace before the browsers of this process; the answer ends it. */
  onStored(listener: (workspaceId: string, event: LiveEvent) => void): () => void;
  /** Passes something on to every process, and keeps nothing. Never rejects: what is lost is said again. */
  pass(workspaceId: string, payload: Record<string, unknown>): Promise<void>;
  /** Hears what processes pass on; the answer ends it. */
  onPassed(listener: (workspaceId: string, payload: Record<string, unknown>) => void): () => void;
  /** The events after `lastId`, oldest first, or null when some of them are no longer kept. */
  readSince(workspaceId: string, lastId: number): Promise<LiveEvent[] | null>;
  /** The events of the last `ms` milliseconds, oldest first, or null when some of them are no longer kept. */
  readRecent(workspaceId: string, ms: number): Promise<LiveEvent[] | null>;
  /** The newest id of the workspace, where a fresh stream begins. */
  readLastId(workspaceId: string): Promise<number>;
  close(): Promise<void>;
};

const NOTIFY_CHANNEL = 'live_events';
const PASS_CHANNEL = 'passed_events';
const KEPT_EVENTS = 2_000;
const KEPT_MS = 3_600_000;

const RETRY_MS = 500;
const MOST_UNTOLD = 1_000;

type Untold = { workspaceId: string; topic: LiveEvent['topic']; payload: Record<string, unknown> };
type Subscriber = { listener: LiveListener; onGap: () => void };

/**
 * Live events over PostgreSQL alone, for any number of processes. Ids of one workspace are given out under
 * an advisory lock, so that they become visible in order and a resumed stream misses none.
 */
export async function openLiveEvents(db: Database, onError: (error: unknown) => void): Promise<LiveEvents> {
  const subscribers = new Map<string, Set<Subscriber>>();
  const storedHearers = new Set<(workspaceId: string, event: LiveEvent) => void>();
  const hearers = new Set<Parameters<LiveEvents['onPassed']>[0]>();
  let untold: Untold[] = [];
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isTelling = false;
  let isClosed = false;

  const listening = await keepListening({
    pool: db.systemPool,
    channels: [NOTIFY_CHANNEL, PASS_CHANNEL],
    onNotification(channel, notification) {
      if (channel === PASS_CHANNEL) {
        const passed = JSON.parse(notification);
        for (const hear of hearers) hear(passed.workspaceId, passed.payload);
        return;
      }
      const { workspaceId, id, topic, payload } = JSON.parse(notification);
      const event = { id, topic, payload };
      for (const hear of storedHearers) hear(workspaceId, event);
      for (const { listener } of subscribers.get(workspaceId) ?? []) listener(event);
    },
    onGap() {
      for (const own of subscribers.values()) for (const { onGap } of own) onGap();
    },
    onTrouble: onError,
  });

  async function tell(event: Untold): Promise<void> {
    // Of one campaign the later state must be told last: nothing overtakes what its workspace could not be told yet.
    if (untold.some(({ workspaceId }) => workspaceId === event.workspaceId)) return keep(event);
    try {
      await storeLiveEvents(db.systemPool, event.workspaceId, [event]);
    } catch (error) {
      onError(error);
      if (isWorthRetry(error)) keep(event);
    }
  }

  /** Anything else than trouble of the database would fail again. */
  function isWorthRetry(error: unknown): boolean {
    return databaseTrouble(error) !== undefined && !isClosed;
  }

  function keep(event: Untold): void {
    const isCovered = untold.some(
      ({ workspaceId, topic }) => topic === 'resync' && workspaceId === event.workspaceId,
    );
    if (!isCovered) untold.push(event);
    if (untold.length > MOST_UNTOLD) giveUpMost();
    if (!isTelling) retry ??= setTimeout(tellAgain, RETRY_MS);
  }

  /** The workspace with the most untold events has its pages read everything anew: here at once, elsewhere when it can be told. */
  function giveUpMost(): void {
    const [[workspaceId, events] = []] = [...Map.groupBy(untold, (event) => event.workspaceId)].toSorted(
      ([, some], [, others]) => others.length - some.length,
    );
    if (workspaceId === undefined || events?.length === 1) return;
    untold = untold.filter((event) => event.workspaceId !== workspaceId);
    untold.push({ workspaceId, topic: 'resync', payload: {} });
    for (const { onGap } of subscribers.get(workspaceId) ?? []) onGap();
  }

  /** In the order in which they came; each stays in the line until it is told. */
  async function tellAgain(): Promise<void> {
    retry = undefined;
    isTelling = true;
    for (let [event] = untold; event && !retry; [event] = untold) {
      try {
        await storeLiveEvents(db.systemPool, event.workspaceId, [event]);
      } catch (error) {
        onError(error);
        if (isClosed) break;
        if (isWorthRetry(error)) retry = setTimeout(tellAgain, RETRY_MS);
      }
      const told = event;
      if (!retry) untold = untold.filter((other) => other !== told);
    }
    isTelling = false;
  }

  return {
    publish: (workspaceId, topic, payload = {}) => tell({ workspaceId, topic, payload }),
    subscribe(workspaceId, listener, onGap = () => undefined) {
      const own = subscribers.get(workspaceId) ?? new Set();
      const subscriber = { listener, onGap };
      subscribers.set(workspaceId, own.add(subscriber));
      return () => {
        own.delete(subscriber);
        if (own.size === 0 && subscribers.get(workspaceId) === own) subscribers.delete(workspaceId);
      };
    },
    tellHere(workspaceId, topic, payload, userIds) {
      const event = { id: null, topic, payload, userIds };
      for (const { listener } of subscribers.get(workspaceId) ?? []) listener(event);
    },
    onStored(listener) {
      storedHearers.add(listener);
      return () => storedHearers.delete(listener);
    },
    async pass(workspaceId, payload) {
      const passed = JSON.stringify({ workspaceId, payload });
      await db.systemPool.query(`SELECT pg_notify('${PASS_CHANNEL}', $1)`, [passed]).catch(onError);
    },
    onPassed(listener) {
      hearers.add(listener);
      return () => hearers.delete(listener);
    },
    async readSince(workspaceId, lastId) {
      const { rows } = await db.systemPool.query(
        `SELECT id::int8, topic, payload FROM live_events WHERE workspace_id = $1 AND id >= $2 ORDER BY id LIMIT $3`,
        [workspaceId, lastId, KEPT_EVENTS + 1],
      );
      const events = rows.map(toLiveEvent);
      const isGapless = events[0]?.id === lastId && events.length <= KEPT_EVENTS;
      return isGapless ? events.slice(1) : null;
    },
    async readRecent(workspaceId, ms) {
      if (ms >= KEPT_MS) return null;
      const { rows } = await db.systemPool.query(
        `SELECT id::int8, topic, payload FROM
           (SELECT * FROM live_events WHERE workspace_id = $1 ORDER BY id DESC LIMIT $2) AS newest
         WHERE created_at > now() - $3 * interval '1 millisecond' ORDER BY id`,
        [workspaceId, KEPT_EVENTS + 1, ms],
      );
      return rows.length > KEPT_EVENTS ? null : rows.map(toLiveEvent);
    },
    async readLastId(workspaceId) {
      const { rows } = await db.systemPool.query(
        'SELECT coalesce(max(id), 0)::int8 AS id FROM live_events WHERE workspace_id = $1',
        [workspaceId],
      );
      return Number(rows[0].id);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await listening.close();
    },
  };
}

/**
 * Gives them their ids in the order in which they become visible, and tells every process with the commit. The lock is held
 * until then: no act of a person waits behind it.
 */
export async function storeLiveEvents(
  client: SqlQueries,
  workspaceId: string,
  signs: readonly Pick<Untold, 'topic' | 'payload'>[],
): Promise<void> {
  await client.query(
    `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended($1::text, ${advisoryLocks.liveEvents}))),
          stored AS (INSERT INTO live_events (workspace_id, topic, payload)
                     SELECT id, sign->>'topic', sign->'payload' FROM turn, workspaces, jsonb_array_elements($2::jsonb) AS sign
                      WHERE id = $1::uuid RETURNING id, topic, payload)
     SELECT pg_notify('${NOTIFY_CHANNEL}', json_build_object(
       'workspaceId', $1::text, 'id', id, 'topic', topic, 'payload', payload)::text) FROM stored`,
    [workspaceId, JSON.stringify(signs)],
  );
}

function toLiveEvent(row: {
  id: string;
  topic: LiveEvent['topic'];
  payload: LiveEvent['payload'];
}): LiveEvent {
  return { ...row, id: Number(row.id) };
}

/** Forgets live events older than an hour but always keeps the newest of each workspace. Run it now and then. */
export async function pruneLiveEvents(db: Database): Promise<void> {
  await db.systemPool.query(
    `DELETE FROM live_events e WHERE created_at < now() - interval '1 hour'
       AND id < (SELECT max(id) FROM live_events n WHERE n.workspace_id = e.workspace_id)`,
  );
}
