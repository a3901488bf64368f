import type { Database } from '@app/database/database';
import type { LiveTopic } from '@app/domain/live/live-topics';

export type LiveEvent = { id: number; topic: LiveTopic; payload: Record<string, unknown> };
export type LiveListener = (event: LiveEvent) => void;

export type LiveEvents = {
  /** Stores the event and tells every process; call it after the change is committed. */
  publish(workspaceId: string, topic: LiveTopic, payload?: Record<string, unknown>): Promise<void>;
  /** Hears every later event of the workspace; the answer ends the subscription. */
  subscribe(workspaceId: string, listener: LiveListener): () => void;
  /** The events after `lastId`, oldest first, or null when some of them are no longer kept. */
  readSince(workspaceId: string, lastId: number): Promise<LiveEvent[] | null>;
  /** The events of the last `ms` milliseconds, oldest first, or null when some of them are no longer kept. */
  readRecent(workspaceId: string, ms: number): Promise<LiveEvent[] | null>;
  /** The newest id of the workspace, where a fresh stream begins. */
  readLastId(workspaceId: string): Promise<number>;
  close(): Promise<void>;
};

const NOTIFY_CHANNEL = 'live_events';
const KEPT_EVENTS = 2_000;
const KEPT_MS = 3_600_000;

/**
 * Live events over PostgreSQL alone, for any number of processes. Ids of one workspace are given out under
 * an advisory lock, so that they become visible in order and a resumed stream misses none.
 */
export async function openLiveEvents(db: Database, onError: (error: Error) => void): Promise<LiveEvents> {
  const listeners = new Map<string, Set<LiveListener>>();
  let closed = false;
  let connection = await listen();

  async function listen() {
    const client = await db.systemPool.connect();
    client.on('notification', ({ payload }) => payload && deliver(payload));
    let isReleased = false;
    // A server that shuts down says so, and then closes the connection: two errors, one loss.
    const release = (error?: Error) => {
      if (!isReleased) client.release(error ?? true);
      isReleased = true;
    };
    client.on('error', (error) => {
      if (isReleased) return;
      onError(error);
      release(error);
      void reconnect();
    });
    await client.query(`LISTEN ${NOTIFY_CHANNEL}`);
    return { release };
  }

  async function reconnect(): Promise<void> {
    for (let delay = 100; !closed; delay = Math.min(delay * 2, 5_000)) {
      try {
        connection = await listen();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  function deliver(notification: string): void {
    const { workspaceId, id, topic, payload } = JSON.parse(notification);
    for (const listener of listeners.get(workspaceId) ?? []) listener({ id, topic, payload });
  }

  return {
    async publish(workspaceId, topic, payload = {}) {
      await db.systemPool.query(
        `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended($1::text, 7))),
              stored AS (INSERT INTO live_events (workspace_id, topic, payload)
                         SELECT $1::uuid, $2, $3::jsonb FROM turn RETURNING id)
         SELECT pg_notify('${NOTIFY_CHANNEL}', json_build_object(
           'workspaceId', $1::text, 'id', id, 'topic', $2::text, 'payload', $3::json)::text) FROM stored`,
        [workspaceId, topic, JSON.stringify(payload)],
      );
    },
    subscribe(workspaceId, listener) {
      const own = listeners.get(workspaceId) ?? new Set();
      listeners.set(workspaceId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(workspaceId);
      };
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
      closed = true;
      connection.release();
    },
  };
}

function toLiveEvent(row: { id: string; topic: LiveTopic; payload: LiveEvent['payload'] }): LiveEvent {
  return { ...row, id: Number(row.id) };
}

/** Forgets live events older than an hour but always keeps the newest of each workspace. Run it now and then. */
export async function pruneLiveEvents(db: Database): Promise<void> {
  await db.systemPool.query(
    `DELETE FROM live_events e WHERE created_at < now() - interval '1 hour'
       AND id < (SELECT max(id) FROM live_events n WHERE n.workspace_id = e.workspace_id)`,
  );
}
