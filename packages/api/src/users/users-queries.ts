import type { user, userDetails } from '@app/contracts/users/users-contract';
import { containsPattern } from '@app/database/contains-pattern';
import { ONLINE_WINDOW_MS } from '@app/domain/activity/activity-rules';
import { personOf } from '@app/domain/auth/caller';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { ACTIVE_TODAY_MS, statusOf, type UserStatus } from '@app/domain/users/member-rules';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { readPreferences } from '@app/domain/profile/preferences';
import type { z } from 'zod';
import { cutPage, readCursor, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type User = z.infer<typeof user>;
export type UserDetails = z.infer<typeof userDetails>;

export type UserFilters = {
  search?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  sort: 'name' | 'newest' | 'last_login';
  limit: number;
  cursor?: string | undefined;
};

type UserRow = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  phone_number: string | null;
  image: string | null;
  is_active: boolean;
  last_login_at: Date | null;
  joined_at: Date;
  timezone: string;
  language: InterfaceLanguage | null;
  preferences: Record<string, unknown>;
  role: Role;
  requested_role: Role | null;
  version: number;
  is_online: boolean;
  overrides: RolePermissionOverrides;
  sort_key: string;
};

/** `$1` is the workspace, `$2` since when a stream was heard. */
const columns = `u.id, u.first_name, u.last_name, u.email, u.phone_number, u.image, m.is_active, u.last_login_at,
  m.created_at AS joined_at, u.timezone, u.preferences, u.language, m.role, m.requested_role, m.version, w.role_permissions AS overrides,
  m.is_active AND EXISTS (SELECT FROM presence_streams p
    WHERE p.workspace_id = $1 AND p.user_id = u.id AND p.seen_at > $2) AS is_online`;
const tables = `memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id`;

const statusSql = `CASE WHEN m.is_active THEN 'active' WHEN m.requested_role IS NULL THEN 'inactive' ELSE 'waiting' END`;

/** What the list is sorted by, how its cursor writes it, and how it is compared. */
const orders = {
  name: { key: 'lower(u.name)', written: 'lower(u.name)', type: 'text', direction: 'ASC', sign: '>' },
  newest: {
    key: 'm.created_at',
    written: timeKey('m.created_at'),
    ...({ type: 'timestamptz', direction: 'DESC', sign: '<' } as const),
  },
  last_login: {
    key: `coalesce(u.last_login_at, '-infinity')`,
    written: `coalesce(${timeKey('u.last_login_at')}, '-infinity')`,
    ...({ type: 'timestamptz', direction: 'DESC', sign: '<' } as const),
  },
} as const;

export async function listUsers(
  scope: ReadScope,
  { search, role, status, sort, limit, cursor }: UserFilters,
): Promise<{ items: User[]; nextCursor: string | null }> {
  const order = orders[sort];
  const after = sort === 'name' ? readCursor(cursor) : readTimeCursor(cursor);
  const { rows } = await scope.query<UserRow>(
    `SELECT ${columns}, ${order.written} AS sort_key FROM ${tables}
      WHERE m.workspace_id = $1
        AND ($3::text IS NULL OR u.name ILIKE $3 OR u.email ILIKE $3 OR u.phone_number ILIKE $3)
        AND ($4::text IS NULL OR m.role = $4) AND ($5::text IS NULL OR ${statusSql} = $5)
        AND ($6::${order.type} IS NULL OR (${order.key}, u.id) ${order.sign} ($6::${order.type}, $7::uuid))
      ORDER BY ${order.key} ${order.direction}, u.id ${order.direction} LIMIT $8`,
    [
      ...[scope.workspaceId, onlineSince(scope)],
      ...[search?.trim() ? containsPattern(search.trim()) : null, role ?? null, status ?? null],
      ...[after?.key ?? null, after?.id ?? null, limit + 1],
    ],
  );
  const { items, nextCursor } = cutPage(rows, limit, (row) => ({ key: row.sort_key, id: row.id }));
  return { items: items.map(presentUser), nextCursor };
}

export async function findUser(scope: ReadScope, userId: string): Promise<UserDetails | null> {
  const { rows } = await scope.query<UserRow & { sessions: number }>(
    `SELECT ${columns}, (SELECT count(*)::int FROM sessions_of_members($5) s
        WHERE s.user_id = u.id AND s.ended_at IS NULL AND s.expires_at > $4) AS sessions
       FROM ${tables} WHERE m.workspace_id = $1 AND m.user_id = $3`,
    [scope.workspaceId, onlineSince(scope), userId, scope.clock(), personOf(scope.caller)],
  );
  const [row] = rows;
  if (!row) return null;
  const { timezone, language, sessions } = row;
  const { theme, notifications } = readPreferences(row.preferences);
  return { ...presentUser(row), timezone, language, preferences: { theme, notifications }, sessions };
}

export async function countUsers(scope: ReadScope) {
  const { rows } = await scope.query<
    Record<'total' | 'active' | 'waiting' | 'online' | 'activeToday', number>
  >(
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE m.is_active)::int AS active,
            count(*) FILTER (WHERE ${statusSql} = 'waiting')::int AS waiting,
            count(*) FILTER (WHERE m.is_active AND u.id IN (SELECT p.user_id FROM presence_streams p
              WHERE p.workspace_id = $1 AND p.seen_at > $2))::int AS online,
            count(*) FILTER (WHERE m.is_active AND u.last_login_at > $3)::int AS "activeToday"
       FROM ${tables} WHERE m.workspace_id = $1`,
    [scope.workspaceId, onlineSince(scope), new Date(scope.clock().getTime() - ACTIVE_TODAY_MS)],
  );
  return rows[0]!; // an aggregate is one row
}

function onlineSince(scope: ReadScope): Date {
  return new Date(scope.clock().getTime() - ONLINE_WINDOW_MS);
}

function presentUser(row: UserRow): User {
  const { id, email, role, version } = row;
  return {
    ...{ id, email, role, version },
    firstName: row.first_name,
    lastName: row.last_name,
    phoneNumber: row.phone_number,
    avatar: row.image,
    requestedRole: row.is_active ? null : row.requested_role,
    status: statusOf(row.is_active, row.requested_role),
    isOnline: row.is_online,
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    createdAt: row.joined_at.toISOString(),
    permissions: [...resolvePermissions(role, row.overrides)],
  };
}
