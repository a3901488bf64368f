import { constantTimeEqual, makeSignature } from 'better-auth/crypto';
import type { Database } from '@app/database/database';
import { mustSetUpSecondFactor, type SignInMethod } from '@app/domain/auth/reauthentication';
import { resolvePermissions } from '@app/domain/auth/permissions';
import type { Clock } from '../../platform/clock.ts';
import type { Session } from '../../platform/request-context.ts';
import { readCookie } from '../read-cookie.ts';
import { readNamedWorkspace } from './named-workspace.ts';
import { SESSION_SECONDS } from './session-engine.ts';
import { describePerson, personColumns, type PersonRow } from './session-person.ts';

/** A session that is used lives on; its row is written at most this often. */
const TOUCH_EVERY_MS = 10 * 60_000;

type SessionRow = PersonRow & {
  id: string;
  expires_at: Date;
  updated_at: Date;
  method: SignInMethod;
  proven_at: Date | null;
  requires_two_factor: boolean;
  has_two_factor: boolean;
};

export type SessionReader = {
  /** In the workspace that the request names, and null where it is none of theirs; else in the one that they are in the longest. */
  readByRequest(request: Request): Promise<Session | null>;
  /** The same whatever the request names: for what concerns the person alone. */
  readWherever(request: Request): Promise<Session | null>;
  readByToken(token: string, workspaceId?: string | null): Promise<Session | null>;
  /** The token that the request brings with our signature, whether or not a session stands behind it. */
  readToken(request: Request): Promise<string | null>;
};

/**
 * Finds sessions with one query and keeps nothing: whoever is deactivated, removed or signed out elsewhere is
 * a stranger with the very next request.
 */
export function createSessionReader({
  db,
  clock,
  secret,
  cookieName,
  isSampleOpen,
}: {
  db: Database;
  clock: Clock;
  secret: string;
  cookieName: string;
  isSampleOpen: boolean;
}): SessionReader {
  async function readByToken(token: string, workspaceId: string | null = null): Promise<Session | null> {
    const now = clock();
    const { rows } = await db.systemPool.query<SessionRow>({
      name: 'read-session',
      text: `SELECT s.id, s.expires_at, s.updated_at, s.method, s.proven_at, w.requires_two_factor,
                    EXISTS (SELECT FROM two_factor f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL) AS has_two_factor,
                    ${personColumns}
             FROM sessions s JOIN users u ON u.id = s.user_id
               JOIN memberships m ON m.user_id = u.id JOIN workspaces w ON w.id = m.workspace_id
             WHERE s.token = $1 AND s.expires_at > $2 AND s.ended_at IS NULL AND m.is_active AND (NOT w.is_sample OR $3)
               AND ($4::uuid IS NULL OR w.id = $4)
             ORDER BY m.created_at, w.id LIMIT 1`,
      values: [token, now, isSampleOpen, workspaceId],
    });
    const row = rows[0];
    if (!row) return null;
    if (now.getTime() - row.updated_at.getTime() < TOUCH_EVERY_MS) return toSession(row);
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
    await db.systemPool.query('UPDATE sessions SET updated_at = $2, expires_at = $3 WHERE id = $1', [
      row.id,
      now,
      expiresAt,
    ]);
    return toSession({ ...row, expires_at: expiresAt });
  }

  const readToken = (request: Request) => readSignedToken(request, cookieName, secret);
  return {
    readByToken,
    readToken,
    async readByRequest(request) {
      const token = await readToken(request);
      return token === null ? null : readByToken(token, readNamedWorkspace(request));
    },
    async readWherever(request) {
      const token = await readToken(request);
      return token === null ? null : readByToken(token);
    },
  };
}

/** The token in the session cookie when our signature stands behind it; a guess costs no query. */
async function readSignedToken(request: Request, cookieName: string, secret: string): Promise<string | null> {
  const value = readCookie(request.headers.get('cookie') ?? '', cookieName);
  const dot = value?.lastIndexOf('.') ?? -1;
  if (!value || dot < 1) return null;
  const token = value.slice(0, dot);
  return constantTimeEqual(value.slice(dot + 1), await makeSignature(token, secret)) ? token : null;
}

function toSession(row: SessionRow): Session {
  return {
    ...describePerson(row),
    id: row.id,
    key: null,
    permissions: resolvePermissions(row.role, row.role_permissions),
    expiresAt: row.expires_at,
    method: row.method,
    provenAt: row.proven_at,
    mustSetUpTwoFactor: mustSetUpSecondFactor({
      isRequired: row.requires_two_factor,
      hasSecondFactor: row.has_two_factor,
      method: row.method,
    }),
  };
}
