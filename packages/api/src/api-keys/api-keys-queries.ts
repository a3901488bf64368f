import type { apiKey } from '@app/contracts/api-keys/api-keys-contract';
import type { Permission } from '@app/domain/auth/permissions';
import { MOST_API_KEYS } from '@app/domain/api-keys/api-key-rules';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { NewKey } from './key-secret.ts';

export type ApiKey = z.infer<typeof apiKey>;

type Row = {
  id: string;
  name: string;
  prefix: string;
  user_id: string;
  owner_name: string;
  scopes: Permission[];
  allowed_addresses: string[];
  expires_at: Date | null;
  created_at: Date;
  created_key: string;
  last_used_at: Date | null;
  last_used_address: string | null;
};

const columns = `k.id, k.name, k.prefix, k.user_id, u.name AS owner_name, k.scopes, k.allowed_addresses, k.expires_at,
  k.created_at, ${timeKey('k.created_at')} AS created_key, k.last_used_at, k.last_used_address`;
const source = 'api_keys k JOIN users u ON u.id = k.user_id';

export async function listKeysOf(scope: ReadScope, userId: string): Promise<ApiKey[]> {
  const { rows } = await scope.query<Row>(
    `SELECT ${columns} FROM ${source} WHERE k.workspace_id = $1 AND k.user_id = $2
      ORDER BY k.created_at DESC, k.id DESC`,
    [scope.workspaceId, userId],
  );
  return rows.map((row) => present(row, scope.clock()));
}

export async function listAllKeys(
  scope: ReadScope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: ApiKey[]; nextCursor: string | null }> {
  const after = readTimeCursor(cursor);
  const { rows } = await scope.query<Row>(
    `SELECT ${columns} FROM ${source}
      WHERE k.workspace_id = $1
        AND ($2::timestamptz IS NULL OR (k.created_at, k.id) < ($2, $3::uuid))
      ORDER BY k.created_at DESC, k.id DESC LIMIT $4`,
    [scope.workspaceId, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ created_key: key, id }) => ({ key, id }));
  return { items: items.map((row) => present(row, scope.clock())), nextCursor };
}

/** Locked, so that of two who change it one comes after the other. */
export async function findKey(scope: WorkspaceScope, keyId: string): Promise<ApiKey | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${columns} FROM ${source} WHERE k.workspace_id = $1 AND k.id = $2 FOR NO KEY UPDATE OF k`,
    [scope.workspaceId, keyId],
  );
  return rows[0] ? present(rows[0], scope.clock()) : null;
}

type Wanted = {
  keyId: string;
  name: string;
  scopes: readonly Permission[];
  allowedAddresses: readonly string[];
  expiresAt: string | null;
};

/** Stores a new key of this person; one after the other, so that there are never more than allowed. Emits `api_key.created`. */
export async function addKey(
  scope: WorkspaceScope,
  userId: string,
  { prefix, hash }: NewKey,
  { keyId, name, scopes, allowedAddresses, expiresAt }: Wanted,
): Promise<'added' | 'api_key_known' | 'too_many_api_keys'> {
  const { workspaceId } = scope;
  await scope.query('SELECT FROM memberships WHERE workspace_id = $1 AND user_id = $2 FOR NO KEY UPDATE', [
    workspaceId,
    userId,
  ]);
  const { rowCount: known } = await scope.query('SELECT FROM api_keys WHERE workspace_id = $1 AND id = $2', [
    workspaceId,
    keyId,
  ]);
  if (known) return 'api_key_known';
  const { rows } = await scope.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM api_keys WHERE workspace_id = $1 AND user_id = $2',
    [workspaceId, userId],
  );
  if ((rows[0]?.n ?? 0) >= MOST_API_KEYS) return 'too_many_api_keys';
  const { rowCount } = await scope.query(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, prefix, secret_hash, scopes, allowed_addresses, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (workspace_id, id) DO NOTHING`,
    [
      ...[keyId, workspaceId, userId, name, prefix, hash, [...new Set(scopes)]],
      ...[[...new Set(allowedAddresses)], expiresAt, scope.clock()],
    ],
  );
  if (rowCount !== 1) return 'api_key_known';
  await scope.emit({ type: 'api_key.created', subject: keyId, values: { name, prefix } });
  return 'added';
}

/** Renames a key that `findKey` locked. Emits `api_key.renamed`. */
export async function nameKey(scope: WorkspaceScope, key: ApiKey, name: string): Promise<void> {
  await scope.query('UPDATE api_keys SET name = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[scope.workspaceId, key.id, name],
  ]);
  const values = { name, prefix: key.prefix, before: key.name };
  await scope.emit({ type: 'api_key.renamed', subject: key.id, values });
}

/** Deletes a key that `findKey` locked. Emits `api_key.revoked`. */
export async function removeKey(scope: WorkspaceScope, { id, name, prefix, owner }: ApiKey): Promise<void> {
  await scope.query('DELETE FROM api_keys WHERE workspace_id = $1 AND id = $2', [scope.workspaceId, id]);
  await scope.emit({ type: 'api_key.revoked', subject: id, values: { name, prefix, owner: owner.name } });
}

/** Deletes the keys that this person made since then. Emits `api_key.revoked` for each. */
export async function removeKeysSince(scope: WorkspaceScope, userId: string, since: string): Promise<void> {
  const { rows } = await scope.query<{ id: string; name: string; prefix: string; owner: string }>(
    `DELETE FROM api_keys k USING users u
      WHERE k.workspace_id = $1 AND k.user_id = $2 AND k.created_at >= $3 AND u.id = k.user_id
      RETURNING k.id, k.name, k.prefix, u.name AS owner`,
    [scope.workspaceId, userId, since],
  );
  for (const { id, ...values } of rows) await scope.emit({ type: 'api_key.revoked', subject: id, values });
}

function present(row: Row, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    owner: { id: row.user_id, name: row.owner_name },
    scopes: row.scopes,
    allowedAddresses: row.allowed_addresses,
    expiresAt: row.expires_at?.toISOString() ?? null,
    isExpired: row.expires_at !== null && row.expires_at <= now,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
  };
}
