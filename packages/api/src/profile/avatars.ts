import { createHash } from 'node:crypto';
import type { SqlQueries } from '@app/database/sql-queries';
import type { OwnAccount } from '../platform/account/own-account.ts';

/**
 * Stores the picture under an address that changes with it, so that browsers may cache each for good. Emits
 * `account.avatar_changed`.
 */
export async function keepAvatar(
  { client, userId, emit, now }: OwnAccount,
  content: Uint8Array,
): Promise<string> {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const address = `/api/avatars/${userId}?v=${version}`;
  await client.query(
    `INSERT INTO avatars (user_id, content, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at`,
    [userId, Buffer.from(content), now],
  );
  await client.query('UPDATE users SET image = $2, updated_at = $3 WHERE id = $1', [userId, address, now]);
  await emit({ type: 'account.avatar_changed', subject: userId, values: {} });
  return address;
}

/** Emits `account.avatar_changed` if there was a picture. */
export async function removeAvatar({ client, userId, emit, now }: OwnAccount): Promise<void> {
  await client.query('DELETE FROM avatars WHERE user_id = $1', [userId]);
  const { rowCount } = await client.query(
    'UPDATE users SET image = NULL, updated_at = $2 WHERE id = $1 AND image IS NOT NULL',
    [userId, now],
  );
  if (rowCount === 1) await emit({ type: 'account.avatar_changed', subject: userId, values: {} });
}

/** Of a member of the workspace that the queries see. */
export async function findAvatar(queries: SqlQueries, userId: string): Promise<Uint8Array | null> {
  const { rows } = await queries.query<{ content: Buffer }>(
    'SELECT content FROM avatars WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.content ?? null;
}
