import type { SqlQueries } from '@app/database/sql-queries';
import type { OwnAccount } from '../platform/account/own-account.ts';
import type { SecretBox } from '../platform/request-context.ts';
import { checkCode, type CodeVerdict } from './check-code.ts';
import { generateSecret } from './one-time-codes.ts';
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts';
import { trustNoDevice } from './trusted-devices.ts';

export type SecondFactor = { enabledAt: Date | null };

/** What somebody has begun or switched on; null for nothing. */
export async function findSecondFactor(client: SqlQueries, userId: string): Promise<SecondFactor | null> {
  const { rows } = await client.query<{ enabled_at: Date | null }>(
    'SELECT enabled_at FROM two_factor WHERE user_id = $1',
    [userId],
  );
  return rows[0] ? { enabledAt: rows[0].enabled_at } : null;
}

/** Whether signing in asks this person for a code. */
export async function hasSecondFactor(client: SqlQueries, userId: string): Promise<boolean> {
  return (await findSecondFactor(client, userId))?.enabledAt instanceof Date;
}

export async function describeSecondFactor(
  client: SqlQueries,
  userId: string,
  workspaceId: string,
): Promise<{ isEnabled: boolean; enabledAt: string | null; recoveryCodesLeft: number; isRequired: boolean }> {
  const factor = await findSecondFactor(client, userId);
  return {
    isEnabled: factor?.enabledAt instanceof Date,
    enabledAt: factor?.enabledAt?.toISOString() ?? null,
    recoveryCodesLeft: await countRecoveryCodes(client, userId),
    isRequired: await isRequiredIn(client, workspaceId),
  };
}

/** A new secret that counts for nothing yet; null when the second factor is on. */
export async function beginSecondFactor(
  client: SqlQueries,
  secrets: SecretBox,
  userId: string,
  now: Date,
): Promise<string | null> {
  const secret = generateSecret();
  const { rowCount } = await client.query(
    `INSERT INTO two_factor AS f (user_id, secret_sealed, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
       WHERE f.enabled_at IS NULL`,
    [userId, await secrets.seal(secret), now],
  );
  return rowCount === 1 ? secret : null;
}

export type Enabling = 'two_factor_on' | 'two_factor_not_begun' | CodeVerdict | { recoveryCodes: string[] };

/**
 * Switches on the second factor that was begun, if the code is right. Commit in any case: wrong codes are counted. Emits
 * `account.two_factor_enabled`.
 */
export async function enableSecondFactor(
  { client, userId, emit, now }: OwnAccount,
  secrets: SecretBox,
  typed: string,
): Promise<Enabling> {
  const factor = await findSecondFactor(client, userId);
  if (!factor) return 'two_factor_not_begun';
  if (factor.enabledAt) return 'two_factor_on';
  const verdict = await checkCode(client, secrets, { userId, typed, now });
  if (verdict.outcome !== 'right') return verdict;
  await client.query('UPDATE two_factor SET enabled_at = $2 WHERE user_id = $1', [userId, now]);
  await trustNoDevice(client, userId);
  const recoveryCodes = await makeRecoveryCodes(client, secrets, userId);
  await emit({ type: 'account.two_factor_enabled', subject: userId, values: {} });
  return { recoveryCodes };
}

/** False when it was off. Emits `account.two_factor_disabled`. */
export async function disableSecondFactor({ client, userId, emit }: OwnAccount): Promise<boolean> {
  const { rowCount } = await client.query(
    'DELETE FROM two_factor WHERE user_id = $1 AND enabled_at IS NOT NULL',
    [userId],
  );
  await trustNoDevice(client, userId);
  if (rowCount !== 1) return false;
  await emit({ type: 'account.two_factor_disabled', subject: userId, values: {} });
  return true;
}

/** New recovery codes in place of the old ones; null while the second factor is off. Emits `account.recovery_codes_made`. */
export async function renewRecoveryCodes(
  { client, userId, emit }: OwnAccount,
  secrets: SecretBox,
): Promise<string[] | null> {
  if (!(await hasSecondFactor(client, userId))) return null;
  const recoveryCodes = await makeRecoveryCodes(client, secrets, userId);
  await emit({ type: 'account.recovery_codes_made', subject: userId, values: {} });
  return recoveryCodes;
}

/** Emits `workspace.two_factor_required` if the value changed. */
export async function requireSecondFactor(
  { client, emit }: OwnAccount,
  workspaceId: string,
  isRequired: boolean,
): Promise<void> {
  const { rowCount } = await client.query(
    'UPDATE workspaces SET requires_two_factor = $2 WHERE id = $1 AND requires_two_factor <> $2',
    [workspaceId, isRequired],
  );
  if (rowCount === 1)
    await emit({ type: 'workspace.two_factor_required', subject: workspaceId, values: { isRequired } });
}

async function isRequiredIn(client: SqlQueries, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query<{ requires_two_factor: boolean }>(
    'SELECT requires_two_factor FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return rows[0]?.requires_two_factor === true;
}
