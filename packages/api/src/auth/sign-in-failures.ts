import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Database } from '@app/database/database';
import { FAILURE_MEMORY_HOURS, waitSecondsAfter, type FailureSource } from '@app/domain/auth/sign-in-lockout';
import { AuthError } from './auth-response.ts';

/** Who tries: a device that the account knows, or somebody at a network. */
export type Guesser = { device: string } | { network: string };

/** Where a guess was counted. */
export type Failure = { source: FailureSource; name: string };

const MEMORY_MS = FAILURE_MEMORY_HOURS * 3_600_000;

/**
 * Counts a guess before the password is looked at, so that parallel guesses in any number of processes meet the same
 * limit; `takeBackGuess` takes it back when the password was right. Known and unknown addresses count alike.
 * @throws {AuthError} when the guesser has to wait; nothing is counted then.
 */
export async function beginGuess(
  db: Database,
  email: string,
  guesser: Guesser,
  now: Date,
): Promise<readonly Failure[]> {
  await deleteOldFailures(db, now);
  // A stranger counts at their own network first: whoever is locked out there slows nobody else.
  const failures: Failure[] =
    'device' in guesser
      ? [{ source: 'device', name: `device ${guesser.device}` }]
      : [
          { source: 'network', name: `network ${guesser.network}` },
          { source: 'strangers', name: 'strangers' },
        ];
  await db.inSystem(async (_, client) => {
    for (const failure of failures) {
      const retryAfterSeconds = await countFailure(client, email, failure, now);
      if (retryAfterSeconds === 0) continue;
      const code = failure.source === 'strangers' ? 'sign_in_slowed' : 'account_locked';
      throw new AuthError(code, { retryAfterSeconds });
    }
  });
  return failures;
}

/** The password was right: its source begins anew, and what it added to the count of all strangers goes. */
export async function takeBackGuess(
  db: Database,
  email: string,
  failures: readonly Failure[],
): Promise<void> {
  const own = failures.find(({ source }) => source !== 'strangers');
  await db.systemPool.query(
    `WITH gone AS (DELETE FROM sign_in_failures WHERE email_hash = $1 AND source = $2 RETURNING failures)
     UPDATE sign_in_failures f SET failures = greatest(f.failures - gone.failures, 0), locked_until = NULL
     FROM gone WHERE f.email_hash = $1 AND f.source = $3`,
    [hash(email), hash(own?.name ?? ''), failures.length > 1 ? hash('strangers') : ''],
  );
}

/** For whoever has proved that the account is theirs. */
export async function deleteFailures(client: Pick<PoolClient, 'query'>, email: string): Promise<void> {
  await client.query('DELETE FROM sign_in_failures WHERE email_hash = $1', [hash(email)]);
}

/** Seconds to wait when this source may not try now, else 0; the row stays locked until the transaction ends. */
async function countFailure(
  client: PoolClient,
  email: string,
  { source, name }: Failure,
  now: Date,
): Promise<number> {
  const row = [hash(email), hash(name)];
  const { rows } = await client.query<{ failures: number }>(
    `INSERT INTO sign_in_failures AS f (email_hash, source, failures, last_failed_at) VALUES ($1, $2, 1, $3)
     ON CONFLICT (email_hash, source) DO UPDATE
       SET failures = CASE WHEN f.last_failed_at < $4 THEN 1 ELSE f.failures + 1 END, last_failed_at = $3
       WHERE f.locked_until IS NULL OR f.locked_until <= $3
     RETURNING failures`,
    [...row, now, new Date(now.getTime() - MEMORY_MS)],
  );
  const counted = rows[0];
  if (!counted) {
    const locked = await client.query<{ locked_until: Date }>(
      'SELECT locked_until FROM sign_in_failures WHERE email_hash = $1 AND source = $2',
      row,
    );
    const until = locked.rows[0]?.locked_until.getTime() ?? 0;
    return Math.max(1, Math.ceil((until - now.getTime()) / 1000));
  }
  const waitSeconds = waitSecondsAfter(source, counted.failures);
  if (waitSeconds > 0)
    await client.query(
      'UPDATE sign_in_failures SET locked_until = $3 WHERE email_hash = $1 AND source = $2',
      [...row, new Date(now.getTime() + waitSeconds * 1000)],
    );
  return 0;
}

/** Skips rows that somebody counts at this moment: both would wait for each other. */
async function deleteOldFailures(db: Database, now: Date): Promise<void> {
  await db.systemPool.query(
    `DELETE FROM sign_in_failures WHERE (email_hash, source) IN (
       SELECT email_hash, source FROM sign_in_failures
       WHERE last_failed_at < $1 AND (locked_until IS NULL OR locked_until < $2)
       LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    [new Date(now.getTime() - MEMORY_MS), now],
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
