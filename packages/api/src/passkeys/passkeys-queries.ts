import type { SqlQueries } from '@app/database/sql-queries';
import type { OwnAccount } from '../platform/account/own-account.ts';

/** More than anybody has devices. */
export const MOST_PASSKEYS = 20;

export type Passkey = {
  id: string;
  credentialId: string;
  name: string;
  isSynced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
};

export async function listPasskeys(client: SqlQueries, userId: string): Promise<Passkey[]> {
  const { rows } = await client.query<Passkey>(
    `SELECT id, credential_id AS "credentialId", name, is_synced AS "isSynced", created_at AS "createdAt",
            last_used_at AS "lastUsedAt" FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`,
    [userId],
  );
  return rows;
}

export async function countPasskeys(client: SqlQueries, userId: string): Promise<number> {
  return (await listPasskeys(client, userId)).length;
}

/** Deletes a passkey of this person. False when there is none. Emits `account.passkey_removed`. */
export async function removePasskey(
  { client, userId, emit }: OwnAccount,
  passkeyId: string,
): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    'DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING name',
    [passkeyId, userId],
  );
  if (!rows[0]) return false;
  await emit({ type: 'account.passkey_removed', subject: userId, values: { name: rows[0].name } });
  return true;
}

/** The names of all that went. */
export async function removeAllPasskeys(client: SqlQueries, userId: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'DELETE FROM passkeys WHERE user_id = $1 RETURNING name',
    [userId],
  );
  return rows.map(({ name }) => name);
}

/** Those that were added since then, perhaps by somebody else; their names. */
export async function removePasskeysSince(
  client: SqlQueries,
  userId: string,
  since: Date,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'DELETE FROM passkeys WHERE user_id = $1 AND created_at >= $2 RETURNING name',
    [userId, since],
  );
  return rows.map(({ name }) => name);
}

/**
 * Whether the passkey that somebody proved themself by is still theirs. The account is locked as its removal locks it: asked behind what it
 * allows, it meets every removal that did not end that.
 */
export async function isStillPasskey(
  client: SqlQueries,
  userId: string,
  passkeyId: string,
): Promise<boolean> {
  await client.query('SELECT FROM users WHERE id = $1 FOR SHARE', [userId]);
  const { rows } = await client.query('SELECT 1 FROM passkeys WHERE id = $1 AND user_id = $2', [
    passkeyId,
    userId,
  ]);
  return rows.length === 1;
}
