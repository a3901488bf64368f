import { createHash } from 'node:crypto';
import type { SqlQueries } from '@app/database/sql-queries';
import { TRUSTED_DEVICE_DAYS } from '@app/domain/two-factor/code-rules';
import type { ApiDependencies } from '../platform/request-context.ts';

/** Whether this person once asked for no more codes in the browser that has this note. */
export async function isTrustedDevice(
  client: SqlQueries,
  userId: string,
  device: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT 1 FROM trusted_devices WHERE user_id = $1 AND device_hash = $2 AND expires_at > $3',
    [userId, hashDevice(device), now],
  );
  return rows.length === 1;
}

export async function trustDevice(
  client: SqlQueries,
  userId: string,
  device: string,
  now: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO trusted_devices (user_id, device_hash, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, device_hash) DO UPDATE SET expires_at = excluded.expires_at`,
    [userId, hashDevice(device), new Date(now.getTime() + TRUSTED_DEVICE_DAYS * 24 * 3_600_000)],
  );
}

/** The note of a browser is written anew at each sign-in; trust goes with it and does not last longer by that. */
export async function moveTrust(client: SqlQueries, userId: string, from: string, to: string): Promise<void> {
  await client.query('UPDATE trusted_devices SET device_hash = $3 WHERE user_id = $1 AND device_hash = $2', [
    userId,
    hashDevice(from),
    hashDevice(to),
  ]);
}

/** Every browser asks for a code again: after a reset by mail, a change of the password, or of the second factor itself. */
export async function trustNoDevice(client: SqlQueries, userId: string): Promise<void> {
  await client.query('DELETE FROM trusted_devices WHERE user_id = $1', [userId]);
}

/** Trust that has run out is kept of nobody. */
export async function deletePastTrust({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  await db.systemPool.query('DELETE FROM trusted_devices WHERE expires_at < $1', [clock()]);
}

function hashDevice(device: string): string {
  return createHash('sha256').update(`trusted device ${device}`).digest('base64url');
}
