import type { SqlQueries } from '@app/database/sql-queries';

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

/** The name of the one that went; null where this person has none with the id. */
export async function removePasskey(
  client: SqlQueries,
  userId: string,
  passkeyId: string,
): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    'DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING name',
    [passkeyId, userId],
  );
  return rows[0]?.name ?? null;
}
