import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import type pg from 'pg';

/** One act as its caller names it. Keys belong to their caller and endpoint: no other person hears the answer. */
export type Act = {
  /** Null for visitors. */
  workspaceId: string | null;
  caller: string;
  endpoint: string;
  key: string;
  /** Keyed fingerprint of the request; the same key with another request is refused. */
  requestHash: string;
};

export type Claim =
  | { outcome: 'claimed' }
  | { outcome: 'answered'; answer: unknown }
  /** Done before, but its answer was too long to keep, or told of a person who was erased since. */
  | { outcome: 'answer_gone' }
  /** Somebody is at it, or was when the server stopped. */
  | { outcome: 'begun'; sinceMs: number }
  | { outcome: 'unknown' }
  /** Used for another request, with this answer if it has one. */
  | { outcome: 'reused'; answer: unknown };

/** A longer answer is not kept; an act itself never stores much more than this. */
const LONGEST_ANSWER = 256 * 1024;

/**
 * True when nobody else is at this act, until the transaction ends. It never waits, so that who comes second can give its
 * connection back meanwhile.
 */
export async function holdAct(client: pg.PoolClient, { caller, endpoint, key }: Act): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.act})) AS held`,
    [`${caller} ${endpoint} ${key}`],
  );
  return rows[0]?.held === true;
}

/** Takes the key for this act, or says what became of it before. */
export async function claimAct(client: pg.PoolClient, act: Act): Promise<Claim> {
  for (;;) {
    const { rowCount } = await client.query(
      `INSERT INTO idempotency_keys (workspace_id, caller, endpoint, key, request_hash, state)
       VALUES ($1, $2, $3, $4, $5, 'begun') ON CONFLICT DO NOTHING`,
      [act.workspaceId, act.caller, act.endpoint, act.key, act.requestHash],
    );
    if (rowCount === 1) return { outcome: 'claimed' };
    const earlier = await readAct(client, act);
    // Refused and taken back between the two queries: the key is free again.
    if (earlier) return earlier;
  }
}

async function readAct(client: pg.PoolClient, act: Act): Promise<Claim | null> {
  const { rows } = await client.query<{
    request_hash: string;
    state: 'begun' | 'done' | 'unknown';
    response: unknown;
    since_ms: number;
  }>(
    `SELECT request_hash, state, response, extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 AS since_ms
       FROM idempotency_keys WHERE caller = $1 AND endpoint = $2 AND key = $3`,
    [act.caller, act.endpoint, act.key],
  );
  const [row] = rows;
  if (!row) return null;
  if (row.request_hash !== act.requestHash) return { outcome: 'reused', answer: row.response };
  if (row.state === 'begun') return { outcome: 'begun', sinceMs: row.since_ms };
  if (row.state === 'unknown') return { outcome: 'unknown' };
  return row.response === null ? { outcome: 'answer_gone' } : { outcome: 'answered', answer: row.response };
}

/** In the transaction of the act, or after its effect. */
export async function keepAnswer(client: pg.PoolClient, act: Act, answer: unknown): Promise<void> {
  const text = JSON.stringify(answer);
  await settle(client, act, 'done', text.length > LONGEST_ANSWER ? null : text);
}

/** Nobody knows whether the act took effect: its key never acts again. */
export async function keepUnknown(client: pg.PoolClient, act: Act): Promise<void> {
  await settle(client, act, 'unknown', null);
}

/** The act was refused and changed nothing: its key may act again. */
export async function releaseAct(client: pg.PoolClient, act: Act): Promise<void> {
  await client.query('DELETE FROM idempotency_keys WHERE caller = $1 AND endpoint = $2 AND key = $3', [
    act.caller,
    act.endpoint,
    act.key,
  ]);
}

async function settle(client: pg.PoolClient, act: Act, state: 'done' | 'unknown', answer: string | null) {
  await client.query(
    'UPDATE idempotency_keys SET state = $4, response = $5 WHERE caller = $1 AND endpoint = $2 AND key = $3',
    [act.caller, act.endpoint, act.key, state, answer],
  );
}

/** Forgets keys after a month: a draft whose answer was lost may lie that long before somebody sends it again. Run it now and then. */
export async function pruneActs(db: Pick<Database, 'systemPool'>): Promise<void> {
  await db.systemPool.query(`DELETE FROM idempotency_keys WHERE created_at < now() - interval '30 days'`);
}
