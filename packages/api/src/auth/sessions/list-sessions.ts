import type { openSession } from '@app/contracts/users/sessions-contract';
import { containsPattern } from '@app/database/contains-pattern';
import { personOf } from '@app/domain/auth/caller';
import type { Role } from '@app/domain/auth/permissions';
import { describeDevice } from '@app/domain/users/describe-device';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../../platform/keyset.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export type OpenSession = z.infer<typeof openSession>;

export type SessionFilters = {
  search?: string | undefined;
  userId?: string | undefined;
  state: 'active' | 'all';
  limit: number;
  cursor?: string | undefined;
};

/** The session that asks, and where addresses are. */
export type Asking = Pick<ApiDependencies, 'findPlace'> & { currentId: string | null };

type SessionRow = {
  id: string;
  user_id: string;
  name: string;
  email: string;
  image: string | null;
  role: Role;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  updated_at: Date;
  used_key: string;
  expires_at: Date;
  ended_at: Date | null;
  is_active: boolean;
};

/** Sessions of the caller, and of members who work in no other workspace, those used last first. */
export async function listSessions(
  scope: ReadScope,
  { search, userId, state, limit, cursor }: SessionFilters,
  asking: Asking,
): Promise<{ items: OpenSession[]; nextCursor: string | null }> {
  const after = readTimeCursor(cursor);
  const now = scope.clock();
  const { rows } = await scope.query<SessionRow>(
    `SELECT s.*, ${timeKey('s.updated_at')} AS used_key, u.name, u.email, u.image, m.role, s.ended_at IS NULL AND s.expires_at > $2 AND m.is_active AS is_active
       FROM sessions_of_members($9) s JOIN users u ON u.id = s.user_id
       JOIN memberships m ON m.user_id = s.user_id AND m.workspace_id = $1
      WHERE ($3::uuid IS NULL OR s.user_id = $3)
        AND ($4 OR (s.ended_at IS NULL AND s.expires_at > $2 AND m.is_active))
        AND ($5::text IS NULL OR u.name ILIKE $5 OR u.email ILIKE $5 OR s.ip_address ILIKE $5)
        AND ($6::timestamptz IS NULL OR (s.updated_at, s.id) < ($6, $7::uuid))
      ORDER BY s.updated_at DESC, s.id DESC LIMIT $8`,
    [
      ...[scope.workspaceId, now, userId ?? null, state === 'all'],
      ...[search?.trim() ? containsPattern(search.trim()) : null, after?.key ?? null, after?.id ?? null],
      ...[limit + 1, personOf(scope.caller)],
    ],
  );
  const { items, nextCursor } = cutPage(rows, limit, (row) => ({
    key: row.used_key,
    id: row.id,
  }));
  return { items: items.map((row) => presentSession(row, asking)), nextCursor };
}

function presentSession(row: SessionRow, { currentId, findPlace }: Asking): OpenSession {
  return {
    id: row.id,
    user: { id: row.user_id, name: row.name, email: row.email, avatar: row.image, role: row.role },
    device: describeDevice(row.user_agent),
    ipAddress: row.ip_address || null,
    place: row.ip_address ? findPlace(row.ip_address) : null,
    isActive: row.is_active,
    isCurrent: row.id === currentId,
    createdAt: row.created_at.toISOString(),
    lastActivityAt: row.updated_at.toISOString(),
    expiresAt: (row.ended_at ?? row.expires_at).toISOString(),
  };
}
