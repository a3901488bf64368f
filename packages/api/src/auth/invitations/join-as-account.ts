import { advisoryLocks } from '@app/database/advisory-locks';
import { memberships } from '@app/database/auth/auth-tables';
import type { SqlQueries } from '@app/database/sql-queries';
import { callerOf } from '../../platform/guard-access.ts';
import type { Origin } from '../../platform/origin.ts';
import type { Session } from '../../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { isSampleAddress } from '../leave-sample.ts';
import { findOpenInvitation, type Invitation } from './find-invitation.ts';

/** The account of an invited address: whose it is is proved by signing in to it, and the invitation changes nothing of it. */
export type InvitedAccount = { userId: string };

/**
 * Finds the account that an invitation is for. None where the address has no account, or one that nobody was ever let in to and that waits in
 * the same workspace alone: whoever reads the mail takes that over with a password of their own.
 */
export async function findInvitedAccount(
  client: SqlQueries,
  { email, workspaceId }: Pick<Invitation, 'email' | 'workspaceId'>,
): Promise<InvitedAccount | null> {
  const { rows } = await client.query<InvitedAccount>(
    `SELECT u.id AS "userId" FROM users u
      WHERE u.email = $1 AND NOT (
        EXISTS (SELECT FROM memberships m
                 WHERE m.user_id = u.id AND m.workspace_id = $2 AND NOT m.is_active AND m.requested_role IS NOT NULL)
        AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = u.id AND o.workspace_id <> $2))`,
    [email, workspaceId],
  );
  return rows[0] ?? null;
}

/** What somebody with an account has to do before they join. */
export function findStanding(
  { userId }: InvitedAccount,
  session: Session | null,
): 'own' | 'other' | 'signed-out' {
  if (!session) return 'signed-out';
  return session.user.id === userId ? 'own' : 'other';
}

/**
 * Makes whoever is signed in with the invited account a member, with the role of the invitation. Name, password and address stay as they are.
 * Asked again by the same person, it answers as before. The session is that of the same browser in the workspace joined.
 * @throws {AuthError}
 */
export async function joinAsAccount(
  parts: AuthParts,
  request: Request,
  origin: Origin,
  { invitation, account }: { invitation: Invitation; account: InvitedAccount },
): Promise<Session> {
  const session = await parts.sessions.readWherever(request);
  const standing = findStanding(account, session);
  if (!session || standing === 'signed-out') throw new AuthError('invitation_signed_out');
  if (standing === 'other') throw new AuthError('invitation_of_other');
  if (isSampleAddress(session.user.email)) throw new AuthError('sample_account');
  await addMembership(parts, origin, { invitation, session });
  const token = await parts.sessions.readToken(request);
  const joined = token === null ? null : await parts.sessions.readByToken(token, invitation.workspaceId);
  if (!joined) throw new AuthError('invitation_invalid');
  return joined;
}

function addMembership(
  parts: AuthParts,
  origin: Origin,
  { invitation: { id, workspaceId }, session }: { invitation: Invitation; session: Session },
): Promise<void> {
  const userId = session.user.id;
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ tx, client, scopeOf }) => {
    // In everybody's order: the people of the workspace, the person, the session.
    await client.query(
      `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.membersOfWorkspace}))`,
      [workspaceId],
    );
    const person = await client.query<{ email: string }>(
      'SELECT email FROM users WHERE id = $1 FOR NO KEY UPDATE',
      [userId],
    );
    const open = await client.query(
      'SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE',
      [session.id],
    );
    if (open.rowCount !== 1) throw new AuthError('invitation_signed_out');
    const rules = { now: parts.clock(), isSampleOpen: parts.isLocalOnly, lock: true };
    const invitation = await findOpenInvitation(client, id, rules);
    // The second of two requests of one person finds what the first one did.
    if (!invitation) return;
    if (invitation.email !== person.rows[0]?.email) throw new AuthError('invitation_of_other');
    const { role, teamId } = invitation;
    const added = await tx
      .insert(memberships)
      .values({ workspaceId, userId, role })
      .onConflictDoNothing()
      .returning({ userId: memberships.userId });
    // Who has a place here already, of whatever kind, has it from those who manage users.
    if (added.length === 0) throw new AuthError('invitation_invalid');
    await client.query(`UPDATE invitations SET state = 'taken' WHERE id = $1`, [id]);
    const caller = { ...callerOf(session), workspaceId, permissions: [] };
    await scopeOf({ caller, origin }).emit({
      type: 'user.joined',
      subject: userId,
      values: { role, teamId },
    });
  });
}
