import type { Database } from '@app/database/database';
import { FAILURE_MEMORY_HOURS, lockMinutesAfter } from '@app/domain/auth/sign-in-lockout';

const HASHED = `encode(sha256(convert_to($1, 'UTF8')), 'hex')`;
const MEMORY_MS = FAILURE_MEMORY_HOURS * 3_600_000;

/** Seconds until the address may sign in again; 0 when it may now. */
export async function readLockSeconds(db: Database, email: string, now: Date): Promise<number> {
  const { rows } = await db.systemPool.query<{ locked_until: Date | null }>(
    `SELECT locked_until FROM sign_in_failures WHERE email_hash = ${HASHED}`,
    [email],
  );
  const until = rows[0]?.locked_until?.getTime() ?? 0;
  return Math.max(0, Math.ceil((until - now.getTime()) / 1000));
}

/** Counts a wrong password and locks the address when it was one too many. */
export async function recordFailure(db: Database, email: string, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - MEMORY_MS);
  await db.systemPool.query(
    'DELETE FROM sign_in_failures WHERE last_failed_at < $1 AND (locked_until IS NULL OR locked_until < $2)',
    [forgotten, now],
  );
  const { rows } = await db.systemPool.query<{ failures: number }>(
    `INSERT INTO sign_in_failures (email_hash, failures, last_failed_at) VALUES (${HASHED}, 1, $2)
     ON CONFLICT (email_hash) DO UPDATE SET failures = sign_in_failures.failures + 1, last_failed_at = $2
     RETURNING failures`,
    [email, now],
  );
  const minutes = lockMinutesAfter(rows[0]?.failures ?? 0);
  if (minutes === 0) return;
  await db.systemPool.query(`UPDATE sign_in_failures SET locked_until = $2 WHERE email_hash = ${HASHED}`, [
    email,
    new Date(now.getTime() + minutes * 60_000),
  ]);
}

export async function forgetFailures(db: Database, email: string): Promise<void> {
  await db.systemPool.query(`DELETE FROM sign_in_failures WHERE email_hash = ${HASHED}`, [email]);
}
