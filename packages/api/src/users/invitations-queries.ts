import type { invitation } from '@app/contracts/users/invitations-contract';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import type { Role, RolePermissionOverrides } from '@app/domain/auth/permissions';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { INVITATION_DAYS } from '@app/domain/users/member-rules';
import type { z } from 'zod';
import { isBacked } from '../auth/invitations/find-invitation.ts';
import { invitationMail } from '../auth/invitations/invitation-mail.ts';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { MemberChange } from './member-change.ts';

type Jobs = SignedInContext['jobs'];

export type Invitation = z.infer<typeof invitation>;

type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  team_id: string | null;
  team_name: string | null;
  invited_by_name: string;
  sent_at: Date;
  times_sent: number;
  expires_at: Date;
  created_at: Date;
  created_key: string;
  inviter_role: Role | null;
  overrides: RolePermissionOverrides;
};

const DAY_MS = 24 * 3_600_000;
/** Of one invitation. */
const SOONEST_NEXT_MAIL_MS = 60_000;

const select = `SELECT i.*, ${timeKey('i.created_at')} AS created_key, CASE WHEN m.is_active THEN m.role END AS inviter_role, w.role_permissions AS overrides, t.name AS team_name
  FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
  LEFT JOIN memberships m ON m.workspace_id = i.workspace_id AND m.user_id = i.invited_by
  LEFT JOIN teams t ON t.id = i.team_id
 WHERE i.workspace_id = $1 AND i.state = 'open'`;

export async function listInvitations(
  scope: ReadScope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: Invitation[]; nextCursor: string | null }> {
  const after = readTimeCursor(cursor);
  const { rows } = await scope.query<InvitationRow>(
    `${select} AND ($2::timestamptz IS NULL OR (i.created_at, i.id) < ($2, $3::uuid))
      ORDER BY i.created_at DESC, i.id DESC LIMIT $4`,
    [scope.workspaceId, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ created_key: key, id }) => ({ key, id }));
  return { items: items.map((row) => present(scope, row)), nextCursor };
}

export async function findInvitation(scope: ReadScope, invitationId: string): Promise<Invitation | null> {
  const { rows } = await scope.query<InvitationRow>(`${select} AND i.id = $2`, [
    scope.workspaceId,
    invitationId,
  ]);
  return rows[0] ? present(scope, rows[0]) : null;
}

/** Stores an invitation and enqueues its mail; returns its id. Emits `user.invited`. */
export async function addInvitation(
  scope: WorkspaceScope,
  jobs: Jobs,
  act: MemberChange,
  { email: typed, role, teamId }: { email: string; role: Role; teamId: string | null },
): Promise<{ id: string } | 'team_not_found' | 'role_too_high' | 'user_exists' | 'user_invited'> {
  if (!act.mayAssign(role)) return 'role_too_high';
  const email = normaliseEmail(typed);
  const members = await scope.query(
    `SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND u.email = $2`,
    [scope.workspaceId, email],
  );
  if (members.rowCount !== 0) return 'user_exists';
  const teams = await scope.query('SELECT FROM teams WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE', [
    scope.workspaceId,
    teamId,
  ]);
  if (teamId !== null && teams.rowCount === 0) return 'team_not_found';
  const now = scope.clock();
  const { rows } = await scope.query<{ id: string }>(
    `INSERT INTO invitations (id, workspace_id, email, role, team_id, invited_by, invited_by_name, sent_at, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8)
     ON CONFLICT (workspace_id, email) WHERE state = 'open' DO NOTHING RETURNING id`,
    [
      ...[newId(), scope.workspaceId, email, role, teamId, personOf(scope.caller), nameOf(scope), now],
      new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    ],
  );
  const [added] = rows;
  if (!added) return 'user_invited';
  await jobs.enqueue(scope, invitationMail, `${added.id}/1`, { invitationId: added.id });
  await scope.emit({ type: 'user.invited', subject: added.id, values: { email, role } });
  return added;
}

/** Makes an open invitation valid anew and enqueues its mail again; null when done. Emits `invitation.sent_again`. */
export async function renewInvitation(
  scope: WorkspaceScope,
  jobs: Jobs,
  act: MemberChange,
  invitationId: string,
): Promise<'invitation_not_found' | 'role_too_high' | 'too_many_mails' | null> {
  const found = await lockInvitation(scope, invitationId);
  if (!found) return 'invitation_not_found';
  if (!act.mayAssign(found.role)) return 'role_too_high';
  const now = scope.clock();
  if (now.getTime() - found.sent_at.getTime() < SOONEST_NEXT_MAIL_MS) return 'too_many_mails';
  await scope.query(
    `UPDATE invitations SET invited_by = $3, invited_by_name = $4, sent_at = $5, expires_at = $6, times_sent = times_sent + 1
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, invitationId, personOf(scope.caller), nameOf(scope), now],
      new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    ],
  );
  await jobs.enqueue(scope, invitationMail, `${invitationId}/${found.times_sent + 1}`, { invitationId });
  await scope.emit({
    ...{ type: 'invitation.sent_again', subject: invitationId },
    values: { email: found.email },
  });
  return null;
}

/** Ends an open invitation. False when there is none. Emits `invitation.revoked`. */
export async function revokeInvitation(scope: WorkspaceScope, invitationId: string): Promise<boolean> {
  const { rows } = await scope.query<{ email: string }>(
    `UPDATE invitations SET state = 'revoked' WHERE workspace_id = $1 AND id = $2 AND state = 'open' RETURNING email`,
    [scope.workspaceId, invitationId],
  );
  if (!rows[0]) return false;
  await scope.emit({ type: 'invitation.revoked', subject: invitationId, values: rows[0] });
  return true;
}

async function lockInvitation(scope: WorkspaceScope, invitationId: string) {
  const { rows } = await scope.query<InvitationRow>(
    `SELECT * FROM invitations WHERE workspace_id = $1 AND id = $2 AND state = 'open' FOR UPDATE`,
    [scope.workspaceId, invitationId],
  );
  return rows[0];
}

function nameOf({ caller }: WorkspaceScope): string {
  return caller.kind === 'system' ? '' : caller.name;
}

function present(scope: ReadScope, row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    team: row.team_id && row.team_name ? { id: row.team_id, name: row.team_name } : null,
    invitedByName: row.invited_by_name,
    isVoid: !isBacked({ role: row.role, inviterRole: row.inviter_role, overrides: row.overrides }),
    sentAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    isExpired: row.expires_at <= scope.clock(),
    createdAt: row.created_at.toISOString(),
  };
}
