import type { SqlQueries } from '@app/database/sql-queries';
import {
  CODE_FAILURE_MEMORY_HOURS,
  lockSecondsAfterCodes,
  readCode,
} from '@app/domain/two-factor/code-rules';
import type { SecretBox } from '../platform/request-context.ts';
import { findStep } from './one-time-codes.ts';
import { takeRecoveryCode } from './recovery-codes.ts';

export type CodeVerdict =
  | { outcome: 'right'; kind: 'one-time' | 'recovery' }
  | { outcome: 'wrong' }
  | { outcome: 'locked'; retryAfterSeconds: number };

type Row = {
  secret_sealed: string;
  last_step: string;
  failures: number;
  last_failed_at: Date | null;
  locked_until: Date | null;
};

/**
 * Judges a code of somebody's second factor inside the caller's transaction, which must commit also when the code is wrong. The row
 * stays locked until then: however many guess at once, each is counted before the next is looked at, and no code counts twice.
 */
export async function checkCode(
  client: SqlQueries,
  secrets: SecretBox,
  { userId, typed, now }: { userId: string; typed: string; now: Date },
): Promise<CodeVerdict> {
  const { rows } = await client.query<Row>(
    `SELECT secret_sealed, last_step, failures, last_failed_at, locked_until FROM two_factor
      WHERE user_id = $1 FOR UPDATE`,
    [userId],
  );
  const [factor] = rows;
  const read = readCode(typed);
  if (!factor) return { outcome: 'wrong' };
  if (read?.kind === 'recovery' && (await takeRecoveryCode(client, secrets, userId, read.code)))
    return { outcome: 'right', kind: 'recovery' };
  const lockedMs = (factor.locked_until?.getTime() ?? 0) - now.getTime();
  if (lockedMs > 0) return { outcome: 'locked', retryAfterSeconds: Math.ceil(lockedMs / 1000) };
  const step =
    read?.kind === 'one-time' ? findStep(await secrets.open(factor.secret_sealed), read.code, now) : null;
  if (step !== null && step > Number(factor.last_step)) {
    await client.query(
      'UPDATE two_factor SET last_step = $2, failures = 0, locked_until = NULL WHERE user_id = $1',
      [userId, step],
    );
    return { outcome: 'right', kind: 'one-time' };
  }
  await countFailure(client, userId, factor, now);
  return { outcome: 'wrong' };
}

async function countFailure(client: SqlQueries, userId: string, factor: Row, now: Date): Promise<void> {
  const memory = CODE_FAILURE_MEMORY_HOURS * 3_600_000;
  const isForgotten = now.getTime() - (factor.last_failed_at?.getTime() ?? 0) > memory;
  const failures = isForgotten ? 1 : factor.failures + 1;
  const lockSeconds = lockSecondsAfterCodes(failures);
  await client.query(
    'UPDATE two_factor SET failures = $2, last_failed_at = $3, locked_until = $4 WHERE user_id = $1',
    [userId, failures, now, lockSeconds > 0 ? new Date(now.getTime() + lockSeconds * 1000) : null],
  );
}
