import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import type pg from 'pg';
import { readMade, readMarks } from './answer-marks.ts';

/** One act as its caller names it. Keys belong to their caller and endpoint: no other person hears the answer. */
export type IdempotentRequest = {
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
export function isIdempotencyKey(text: string | null): text is string {
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
export async function holdRequest(
  client: pg.PoolClient,
  { caller, endpoint, key }: IdempotentRequest,
): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.request})) AS held`,
    [`${caller} ${endpoint} ${key}`],
  );
  return rows[0]?.held === true;
}

/** Takes the key for this act, or says what became of it before. */
export async function claimRequest(client: pg.PoolClient, request: IdempotentRequest): Promise<Claim> {
  for (;;) {
    const { rowCount } = await client.query(
      `INSERT INTO idempotency_keys (workspace_id, caller, endpoint, key, request_hash, state)
       VALUES ($1, $2, $3, $4, $5, 'begun') ON CONFLICT DO NOTHING`,
      [request.workspaceId, request.caller, request.endpoint, request.key, request.requestHash],
    );
    if (rowCount === 1) return { outcome: 'claimed' };
    const earlier = await readRequest(client, request);
    // Refused and taken back between the two queries: the key is free again.
    if (earlier) return earlier;
  }
}

async function readRequest(client: pg.PoolClient, request: IdempotentRequest): Promise<Claim | null> {
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
    [request.caller, request.endpoint, request.key],
  );
  const [row] = rows;
  if (!row) return null;
  const { made } = row;
  if (row.request_hash !== request.requestHash) return { outcome: 'reused', made };
  if (row.state === 'begun') return { outcome: row.is_alive ? 'under_way' : 'unknown' };
  if (row.state === 'unknown') return { outcome: 'unknown' };
  return row.response === null
    ? { outcome: 'answer_gone', made }
    : { outcome: 'answered', answer: row.response };
}

/** Whoever presses again hears meanwhile that somebody is at it. */
export async function showAlive(pool: pg.Pool, { caller, endpoint, key }: IdempotentRequest): Promise<void> {
  await pool.query(
    `UPDATE idempotency_keys SET alive_at = clock_timestamp()
      WHERE caller = $1 AND endpoint = $2 AND key = $3 AND state = 'begun'`,
    [caller, endpoint, key],
  );
}

/** In the transaction of the act, or after its effect. */
export async function storeAnswer(
  client: pg.PoolClient,
  request: IdempotentRequest,
  answer: unknown,
): Promise<void> {
  const text = JSON.stringify(answer);
  const isKept = text.length <= LONGEST_ANSWER;
  const made = readMade(answer);
  await client.query(
    `UPDATE idempotency_keys SET state = 'done', response = $4, made = $5, about = $6
      WHERE caller = $1 AND endpoint = $2 AND key = $3`,
    [
      request.caller,
      request.endpoint,
      request.key,
      isKept ? text : null,
      made,
      isKept ? readMarks(answer) : listOf(made),
    ],
  );
}

/** Nobody knows whether the act took effect: its key never acts again. */
export async function keepUnknown(client: pg.PoolClient, request: IdempotentRequest): Promise<void> {
  await client.query(
    `UPDATE idempotency_keys SET state = 'unknown' WHERE caller = $1 AND endpoint = $2 AND key = $3`,
    [request.caller, request.endpoint, request.key],
  );
}

/** The act was refused and changed nothing: its key may act again. */
export async function releaseRequest(client: pg.PoolClient, request: IdempotentRequest): Promise<void> {
  await client.query('DELETE FROM idempotency_keys WHERE caller = $1 AND endpoint = $2 AND key = $3', [
    request.caller,
    request.endpoint,
    request.key,
  ]);
}

/** Acts stay done; the answers that tell of these people, by id or number, are kept no longer. */
export async function deleteAnswersAbout(client: SqlQueries, marks: readonly string[]): Promise<void> {
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
