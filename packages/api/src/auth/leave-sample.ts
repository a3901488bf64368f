import { EMAIL_UNDO_DAYS } from '@app/domain/auth/email-change';
import { SAMPLE_ADDRESSES } from '@app/domain/auth/sample-addresses';
import { TRIAL_DAYS } from '@app/domain/landing/plans';
import type { Session } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { endSessions } from './sessions/end-sessions.ts';

const DAY_MS = 86_400_000;

/** Whether everybody knows the password that belongs to this address. */
export function isSampleAddress(email: string): boolean {
  return SAMPLE_ADDRESSES.includes(email);
}

/** The workspace is a business's own from now on, with its name and the roles as they come, and its trial begins. False where it was no sample. */
export async function leaveSample(scope: WorkspaceScope, businessName: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE workspaces SET is_sample = false, name = $2, plan = DEFAULT, trial_ends_at = $3,
            role_permissions = DEFAULT, role_permissions_version = role_permissions_version + 1
      WHERE id = $1 AND is_sample`,
    [scope.workspaceId, businessName, new Date(scope.clock().getTime() + TRIAL_DAYS * DAY_MS)],
  );
  return rowCount === 1;
}

export type RealOwner = { firstName: string; lastName: string; email: string; passwordHash: string };

/** Whoever is signed in with a sample account keeps session and role; nothing that opened the account before opens it any more. */
export async function becomeOwner(
  scope: WorkspaceScope,
  { id: sessionId, user }: Pick<Session, 'id' | 'user'>,
  { firstName, lastName, email, passwordHash }: RealOwner,
): Promise<'changed' | 'taken' | 'elsewhere'> {
  const now = scope.clock();
  const { rows } = await scope.query<{ outcome: 'changed' | 'taken' | 'elsewhere' }>(
    'SELECT make_account_real($1, $2, $3, $4, $5, $6, $7, $8) AS outcome',
    [
      ...[user.id, sessionId, firstName, lastName, email, passwordHash],
      ...[new Date(now.getTime() - EMAIL_UNDO_DAYS * DAY_MS), now],
    ],
  );
  const outcome = rows[0]?.outcome ?? 'elsewhere';
  if (outcome === 'changed')
    await endSessions(scope, { userId: user.id, name: `${firstName} ${lastName}` }, { butOne: sessionId });
  return outcome;
}

/**
 * Every member but one, active or waiting for an administrator. In a sample anybody can be its administrator, so an account proves
 * nothing about who let its owner in.
 */
export async function findOtherMembers(
  { query, workspaceId }: ReadScope,
  butUserId: string,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await query<{ id: string; email: string }>(
    `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = $1 AND u.id <> $2 ORDER BY u.id`,
    [workspaceId, butUserId],
  );
  return rows;
}

/** Whom somebody invited while everybody could be that somebody. */
export async function deleteInvitations(scope: WorkspaceScope): Promise<void> {
  await scope.query('DELETE FROM invitations WHERE workspace_id = $1', [scope.workspaceId]);
}
