import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import type pg from 'pg';
import { readMade, readMarks } from './answer-marks.ts';

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
  /** Done before, but its answer was too long to keep, is days old, or told of a person who is gone since. */
  | { outcome: 'answer_gone'; made: string | null }
  /** Somebody is at it. */
  | { outcome: 'under_way' }
  /** Nobody saw its end, such as when its process died. */
  | { outcome: 'unknown' }
  /** Used for another request, which made this. */
  | { outcome: 'reused'; made: string | null };

/** Whether the text may be the key of an act. */
export function isActKey(text: string | null): text is string {
  return /^[\x21-\x7e]{8,200}$/.test(text ?? '');
}

/** A longer answer is not kept; an act itself never stores much more than this. */
const LONGEST_ANSWER = 256 * 1024;
/** Without a sign of life for this long, the process that did an act is gone. */
const SILENT_FOR_SECONDS = 30;
export const SIGN_OF_LIFE_EVERY_MS = 5_000;

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
    made: string | null;
    is_alive: boolean;
  }>(
    `SELECT request_hash, state, response, made,
            alive_at > clock_timestamp() - make_interval(secs => ${SILENT_FOR_SECONDS}) AS is_alive
       FROM idempotency_keys WHERE caller = $1 AND endpoint = $2 AND key = $3`,
    [act.caller, act.endpoint, act.key],
  );
  const [row] = rows;
  if (!row) return null;
  const { made } = row;
  if (row.request_hash !== act.requestHash) return { outcome: 'reused', made };
  if (row.state === 'begun') return { outcome: row.is_alive ? 'under_way' : 'unknown' };
  if (row.state === 'unknown') return { outcome: 'unknown' };
  return row.response === null
    ? { outcome: 'answer_gone', made }
    : { outcome: 'answered', answer: row.response };
}

/** Whoever presses again hears meanwhile that somebody is at it. */
export async function showAlive(pool: pg.Pool, { caller, endpoint, key }: Act): Promise<void> {
  await pool.query(
    `UPDATE idempotency_keys SET alive_at = clock_timestamp()
      WHERE caller = $1 AND endpoint = $2 AND key = $3 AND state = 'begun'`,
    [caller, endpoint, key],
  );
}

/** In the transaction of the act, or after its effect. */
export async function keepAnswer(client: pg.PoolClient, act: Act, answer: unknown): Promise<void> {
  const text = JSON.stringify(answer);
  const isKept = text.length <= LONGEST_ANSWER;
  const made = readMade(answer);
  await client.query(
    `UPDATE idempotency_keys SET state = 'done', response = $4, made = $5, about = $6
      WHERE caller = $1 AND endpoint = $2 AND key = $3`,
    [
      act.caller,
      act.endpoint,
      act.key,
      isKept ? text : null,
      made,
      isKept ? readMarks(answer) : listOf(made),
    ],
  );
}

/** Nobody knows whether the act took effect: its key never acts again. */
export async function keepUnknown(client: pg.PoolClient, act: Act): Promise<void> {
  await client.query(
    `UPDATE idempotency_keys SET state = 'unknown' WHERE caller = $1 AND endpoint = $2 AND key = $3`,
    [act.caller, act.endpoint, act.key],
  );
}

/** The act was refused and changed nothing: its key may act again. */
export async function releaseAct(client: pg.PoolClient, act: Act): Promise<void> {
  await client.query('DELETE FROM idempotency_keys WHERE caller = $1 AND endpoint = $2 AND key = $3', [
    act.caller,
    act.endpoint,
    act.key,
  ]);
}

/** Acts stay done; the answers that tell of these people, by id or number, are kept no longer. */
export async function forgetAnswersAbout(client: SqlQueries, marks: readonly string[]): Promise<void> {
  await client.query(
    `UPDATE idempotency_keys SET response = NULL, made = NULL, about = '{}' WHERE about && $1::text[]`,
    [marks],
  );
}

/**
 * Answers go after two days: they hold what people are called, who may be deleted since, and who presses again later is led
 * to what was made. Keys are forgotten after a month: a draft whose answer was lost may lie that long before somebody sends
 * it again. Run it now and then.
 */
export async function pruneActs(db: Pick<Database, 'systemPool'>): Promise<void> {
  await db.systemPool.query(`DELETE FROM idempotency_keys WHERE created_at < now() - interval '30 days'`);
  await db.systemPool.query(
    `UPDATE idempotency_keys SET response = NULL, about = array_remove(ARRAY[made], NULL)
      WHERE response IS NOT NULL AND created_at < now() - interval '2 days'`,
  );
}

function listOf(made: string | null): string[] {
  return made === null ? [] : [made];
}
