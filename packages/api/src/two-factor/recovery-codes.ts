import { randomInt } from 'node:crypto';
import {
  RECOVERY_ALPHABET,
  RECOVERY_CODES,
  RECOVERY_LENGTH,
  showRecoveryCode,
} from '@app/domain/two-factor/code-rules';
import type { SecretBox } from '../platform/request-context.ts';
import type { SqlQueries } from '@app/database/sql-queries';

/** Makes new codes in place of those that are left; they are shown this once, and only their keyed hashes are kept. */
export async function makeRecoveryCodes(
  client: SqlQueries,
  secrets: SecretBox,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, drawCode);
  await client.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
  await client.query('INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])', [
    userId,
    codes.map((code) => hashCode(secrets, userId, code)),
  ]);
  return codes.map(showRecoveryCode);
}

/** True once for each code. */
export async function takeRecoveryCode(
  client: SqlQueries,
  secrets: SecretBox,
  userId: string,
  code: string,
): Promise<boolean> {
  const { rows } = await client.query(
    'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING 1',
    [userId, hashCode(secrets, userId, code)],
  );
  return rows.length === 1;
}

export async function countRecoveryCodes(client: SqlQueries, userId: string): Promise<number> {
  const { rows } = await client.query<{ left: number }>(
    'SELECT count(*)::int AS left FROM recovery_codes WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.left ?? 0;
}

function drawCode(): string {
  return Array.from(
    { length: RECOVERY_LENGTH },
    () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
  ).join('');
}

function hashCode(secrets: SecretBox, userId: string, code: string): string {
  return secrets.fingerprint(`recovery code ${userId} ${code}`);
}
