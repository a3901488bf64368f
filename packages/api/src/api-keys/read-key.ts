import { LAST_USE_EVERY_MS, permissionsOfKey } from '@app/domain/api-keys/api-key-rules';
import { isInRange } from '@app/domain/network/address-range';
import { resolvePermissions, type Permission } from '@app/domain/auth/permissions';
import { describePerson, personColumns, type PersonRow } from '../auth/sessions/session-person.ts';
import type { ApiDependencies, Session } from '../platform/request-context.ts';
import { isSameKey, readPrefix } from './key-secret.ts';

export type KeyError = 'api_key_invalid' | 'api_key_expired' | 'api_key_address';

/** Who calls with this key from this address, and what they may do at this moment; or the code of a refusal. */
export type ReadKey = (key: string, ipAddress: string | null) => Promise<Session | KeyError>;

type Row = PersonRow & {
  id: string;
  key_name: string;
  secret_hash: Buffer;
  scopes: Permission[];
  allowed_addresses: string[];
  key_expires_at: Date | null;
  last_used_at: Date | null;
};

/** No list allows everybody; an address that nobody knows is in none. */
function isAllowedFrom(ipAddress: string | null, allowed: readonly string[]): boolean {
  return allowed.length === 0 || allowed.some((range) => ipAddress !== null && isInRange(ipAddress, range));
}

/** A key without an end is one that ends never; a session has to say when. */
const NEVER = new Date('9999-12-31T23:59:59Z');

/**
 * Finds keys with one query and keeps nothing: what is revoked, has expired, or belongs to somebody who lost their role or
 * their access, opens nothing with the very next request.
 */
export function createKeyReader({
  db,
  clock,
  secrets,
  isLocalOnly,
  logger,
}: Pick<ApiDependencies, 'db' | 'clock' | 'secrets' | 'isLocalOnly' | 'logger'>): ReadKey {
  return async (key, ipAddress) => {
    const prefix = readPrefix(secrets, key);
    if (prefix === null) return 'api_key_invalid';
    const now = clock();
    const { rows } = await db.systemPool.query<Row>({
      name: 'read-api-key',
      text: `SELECT k.id, k.name AS key_name, k.secret_hash, k.scopes, k.allowed_addresses, k.expires_at AS key_expires_at,
                    k.last_used_at, ${personColumns}
               FROM api_keys k JOIN users u ON u.id = k.user_id
               JOIN memberships m ON m.user_id = k.user_id AND m.workspace_id = k.workspace_id
               JOIN workspaces w ON w.id = k.workspace_id
              WHERE k.prefix = $1 AND m.is_active AND (NOT w.is_sample OR $2)`,
      values: [prefix, isLocalOnly],
    });
    const [row] = rows;
    if (!row || !isSameKey(key, row.secret_hash)) return 'api_key_invalid';
    if (row.key_expires_at !== null && row.key_expires_at <= now) return 'api_key_expired';
    if (!isAllowedFrom(ipAddress, row.allowed_addresses)) return 'api_key_address';
    // That it was used is no reason to refuse the request when it cannot be noted.
    if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= LAST_USE_EVERY_MS)
      await noteUse(row, ipAddress, now).catch((error: unknown) =>
        logger.warn({ err: error }, 'the last use of an API key could not be written'),
      );
    return toSession(row);
  };

  /** Of many requests at once one writes it. */
  async function noteUse({ id, workspace_id }: Row, ipAddress: string | null, now: Date): Promise<void> {
    await db.systemPool.query(
      `UPDATE api_keys SET last_used_at = $2, last_used_address = $3
        WHERE workspace_id = $5 AND id = $1 AND (last_used_at IS NULL OR last_used_at <= $4)`,
      [id, now, ipAddress, new Date(now.getTime() - LAST_USE_EVERY_MS), workspace_id],
    );
  }
}

function toSession(row: Row): Session {
  const held = resolvePermissions(row.role, row.role_permissions);
  return {
    ...describePerson(row),
    id: row.id,
    key: { id: row.id, name: row.key_name },
    permissions: permissionsOfKey(held, row.scopes),
    expiresAt: row.key_expires_at ?? NEVER,
    method: 'password',
    // A key proves that it was given out, not who holds it now.
    provenAt: null,
    // It was made in a session that had all that its workspace asks for.
    mustSetUpTwoFactor: false,
  };
}
