import { advisoryLocks } from '@app/database/advisory-locks';
import { accounts, memberships, users } from '@app/database/auth/auth-tables';
import type { Queries } from '@app/database/database';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { networkOf } from '@app/domain/auth/network-of';
import { checkSignUp } from '@app/domain/auth/sign-up-rules';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { and, eq } from 'drizzle-orm';
import { deleteIdentities } from '../../company-sign-in/company-identities.ts';
import type { Origin } from '../../platform/origin.ts';
import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import { announceSignIn } from '../announce-sign-in.ts';
import { readAcceptForm, refuseBadFields, type AcceptForm } from '../auth-forms.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { openSession, type SignedIn } from '../sessions/open-session.ts';
import { findOpenInvitation, findTakenBy, type Invitation } from './find-invitation.ts';
import { findInvitedAccount, findStanding, joinAsAccount, type InvitedAccount } from './join-as-account.ts';
import { languageOf } from '../../platform/words/language-of.ts';
import { readLinkToken } from '../link-token.ts';

/** What the page of a link shows before it is taken; `account`: whether it asks for a new one, or for a sign-in to the one that there is. */
export async function readInvitation(
  parts: AuthParts,
  request: Request,
  token: string,
): Promise<
  Pick<Invitation, 'email' | 'role' | 'workspaceName' | 'invitedByName'> & {
    account: 'new' | ReturnType<typeof findStanding>;
  }
> {
  const invitation = await findByToken(parts, token);
  const { email, role, workspaceName, invitedByName } = invitation;
  const known = await findInvitedAccount(parts.db.systemPool, invitation);
  const account = known ? findStanding(known, await parts.sessions.readWherever(request)) : 'new';
  return { email, role, workspaceName, invitedByName, account };
}

/**
 * Takes an invitation: with the account of its address, where there is one, else with a new one.
 * @throws {AuthError}
 */
export async function acceptInvitation(
  parts: AuthParts,
  request: Request,
  origin: Origin,
  body: Record<string, unknown>,
): Promise<Pick<SignedIn, 'session' | 'cookies'>> {
  const form = readAcceptForm(body);
  const found = await findKnown(parts, request, form.token);
  if (found) return { session: await joinAsAccount(parts, request, origin, found), cookies: [] };
  return openAccount(parts, request, origin, form, languageOf(request));
}

/** An invitation to an account that there is: one that can be taken, or that the caller has taken. */
async function findKnown(
  parts: AuthParts,
  request: Request,
  token: string,
): Promise<{ invitation: Invitation; account: InvitedAccount } | null> {
  const { db, secrets, sessions } = parts;
  const id = readLinkToken(secrets, 'invitation', token);
  const taken = id && (await sessions.readWherever(request));
  const own = taken && (await findTakenBy(db.systemPool, id, taken.user.id));
  const invitation = own || (await findByToken(parts, token));
  const account = await findInvitedAccount(db.systemPool, invitation);
  return account && { invitation, account };
}

/**
 * Makes the account of whoever was invited, with the role of the invitation and no other, and signs them in. Whoever reads
 * the mail of an address owns it: an account that waits under it, whoever made that, becomes theirs with a new password.
 */
async function openAccount(
  parts: AuthParts,
  request: Request,
  origin: Origin,
  form: AcceptForm,
  language: InterfaceLanguage,
): Promise<SignedIn> {
  const { email } = await findByToken(parts, form.token);
  refuseBadFields(checkSignUp({ ...form, email, role: 'viewer' }));
  const limit = parts.signUpLimit.begin(networkOf(origin.ipAddress));
  if (!limit.isAllowed)
    throw new AuthError('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  const passwordHash = await parts.hashing.run(() => parts.passwords.hash(form.password));
  const userId = await joinWorkspace(parts, origin, form, { passwordHash, language });
  const proven = { userId, email, rememberMe: true, method: 'password' } as const;
  const signedIn = await openSession(parts, request, origin, proven);
  await announceSignIn(parts, origin, signedIn);
  return signedIn;
}

async function findByToken(
  { db, clock, secrets, isLocalOnly }: AuthParts,
  token: string,
): Promise<Invitation> {
  const id = readLinkToken(secrets, 'invitation', token);
  const found =
    id &&
    (await db.inSystem((_, client) =>
      findOpenInvitation(client, id, { now: clock(), isSampleOpen: isLocalOnly }),
    ));
  if (!found) throw new AuthError('invitation_invalid');
  return found;
}

type Credentials = { passwordHash: string; language: InterfaceLanguage };

/** Of two who take one link, or of one who takes it while it is taken back, one wins. */
async function joinWorkspace(
  parts: AuthParts,
  origin: Origin,
  form: AcceptForm,
  credentials: Credentials,
): Promise<string> {
  const { id: invitationId, workspaceId } = await findByToken(parts, form.token);
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ tx, client, scopeOf }) => {
    // In everybody's order: the people of the workspace first.
    await client.query(
      `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.membersOfWorkspace}))`,
      [workspaceId],
    );
    const rules = { now: parts.clock(), isSampleOpen: parts.isLocalOnly, lock: true };
    const invitation = await findOpenInvitation(client, invitationId, rules);
    if (!invitation) throw new AuthError('invitation_invalid');
    await client.query(`UPDATE invitations SET state = 'taken' WHERE id = $1`, [invitationId]);
    const person = {
      firstName: form.firstName.trim(),
      lastName: form.lastName.trim(),
      name: `${form.firstName.trim()} ${form.lastName.trim()}`,
      phoneNumber: form.phoneNumber.trim() || null,
    };
    const userId =
      (await takeWaitingAccount(client, invitation)) ??
      (await addAccount(tx, invitation, person, credentials));
    await tx
      .update(users)
      .set({ ...person, emailVerified: true, updatedAt: parts.clock() })
      .where(eq(users.id, userId));
    await setPassword(tx, userId, credentials.passwordHash);
    await tx
      .update(memberships)
      .set({ role: invitation.role, requestedRole: null, isActive: true })
      .where(and(eq(memberships.userId, userId), eq(memberships.workspaceId, workspaceId)));
    const caller = { kind: 'person' as const, id: userId, name: person.name, workspaceId, permissions: [] };
    await scopeOf({ caller, origin }).emit({
      type: 'user.joined',
      subject: userId,
      values: { role: invitation.role, teamId: invitation.teamId },
    });
    return userId;
  });
}

/** The account of this address that waits in the same workspace, and nowhere else; what it had ends. */
async function takeWaitingAccount(
  client: SqlQueries,
  { email, workspaceId }: Invitation,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT u.id FROM users u JOIN memberships m ON m.user_id = u.id
      WHERE u.email = $1 AND NOT m.is_active AND m.workspace_id = $2 AND m.requested_role IS NOT NULL
        AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = u.id AND o.workspace_id <> $2)
      FOR UPDATE OF u, m`,
    [email, workspaceId],
  );
  const [account] = rows;
  if (!account) return null;
  await client.query('DELETE FROM sessions WHERE user_id = $1', [account.id]);
  await client.query('DELETE FROM verifications WHERE value = $1', [account.id]);
  await deleteIdentities(client, account.id);
  return account.id;
}

async function addAccount(
  tx: Queries,
  { email, workspaceId, role }: Invitation,
  person: { firstName: string; lastName: string; name: string; phoneNumber: string | null },
  { language }: Credentials,
): Promise<string> {
  const userId = newId();
  const added = await tx
    .insert(users)
    .values({ id: userId, email, language, ...person })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (added.length === 0) throw new AuthError('email_taken');
  await tx.insert(memberships).values({ workspaceId, userId, role });
  return userId;
}

/** The one password of the account; one that somebody else had chosen opens nothing any more. */
async function setPassword(tx: Queries, userId: string, password: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')));
  await tx
    .insert(accounts)
    .values({ id: newId(), userId, accountId: userId, providerId: 'credential', password });
}
