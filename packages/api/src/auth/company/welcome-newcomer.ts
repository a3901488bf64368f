import { advisoryLocks } from '@app/database/advisory-locks';
import { memberships } from '@app/database/auth/auth-tables';
import { newId } from '@app/database/new-id';
import type { Caller } from '@app/domain/auth/caller';
import type { Role } from '@app/domain/auth/permissions';
import { decideCompanySignUp, type SignUpDecision } from '@app/domain/auth/sign-up-decision';
import { checkEmail, checkName, normaliseEmail } from '@app/domain/auth/sign-up-rules';
import type { CompanyIdentity } from '@app/domain/company-sign-in/company-provider';
import { findCompanyRole, findCompanyTeams } from '@app/domain/company-sign-in/company-rules';
import { addIdentity, hasLeft, noteUse } from '../../company-sign-in/company-identities.ts';
import { enqueueAddressLink } from '../addresses/confirm-address.ts';
import { AuthError } from '../auth-response.ts';
import { findOpenInvitation, type Invitation } from '../invitations/find-invitation.ts';
import { addUser, createFirstWorkspace, findSignUpPlace, giveBack } from '../sign-up.ts';
import type { Arrival, Arrived } from './arrival.ts';
import { emitTeams } from './welcome-back.ts';

type Place = {
  workspaceId: string;
  decision: SignUpDecision;
  invitation: Invitation | null;
  /** The first account of the installation. */
  isFirst: boolean;
  /** Whether it is the workspace of the operator's rules. */
  isRuled: boolean;
};

/**
 * The account of somebody who comes for the first time. It waits like any other unless the operator's rules give it a role, or somebody invited the
 * address that the provider calls theirs. An address that has an account already links to nothing: its owner signs in to it and connects the two.
 * @throws {AuthError}
 */
export async function welcomeNewcomer(arrival: Arrival): Promise<Arrived> {
  const { parts, tx, client, identity, rules, language } = arrival;
  if (!identity.email || checkEmail(identity.email)) throw new AuthError('company_email_missing');
  const email = normaliseEmail(identity.email);
  await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.signUp]);
  const mapped = (await hasLeft(client, identity)) ? null : findCompanyRole(rules, identity.values);
  const { workspaceId, decision, invitation, isFirst, isRuled } = await choosePlace(arrival, email, mapped);
  // A wrong mail server would shut the owner of the installation out.
  const isConfirmed = identity.isEmailVerified || isFirst || !parts.confirmsAddresses;
  const userId = newId();
  const form = { ...nameOf(identity, email), email, phoneNumber: '', language };
  if (!(await addUser(tx, userId, form, isConfirmed))) throw new AuthError('company_sign_in_unlinked');
  const isOwner = identity.isEmailVerified;
  if (!isOwner && (await giveBack({ tx, client, userId, email, now: parts.clock() })))
    throw new AuthError('company_sign_in_unlinked');
  if (!(await addIdentity(client, identity, userId, parts.clock())))
    throw new Error('An identity of the company came up twice.');
  await tx.insert(memberships).values({ workspaceId, userId, ...decision });
  await emitArrival(arrival, {
    userId,
    workspaceId,
    decision,
    invitation,
    name: `${form.firstName} ${form.lastName}`,
  });
  if (!decision.isActive) {
    if (!isConfirmed) await enqueueAddressLink(parts, client, { email, language });
    return { isPending: true, mustConfirmAddress: !isConfirmed };
  }
  const mappedTeams = isRuled ? findCompanyTeams(rules, identity.values) : [];
  await emitTeams(arrival, { userId, workspaceId }, { before: [], now: mappedTeams });
  const mappedRole = isRuled ? mapped : null;
  await noteUse(client, identity, { mappedRole, mappedTeams, now: parts.clock() });
  return { userId, email };
}

async function choosePlace(arrival: Arrival, email: string, mapped: Role | null): Promise<Place> {
  const { parts, tx, client, identity, language } = arrival;
  const invitation = identity.isEmailVerified ? await takeInvitation(arrival, email) : null;
  const { place, workspaceId: joined } = await findSignUpPlace(tx, parts.isLocalOnly);
  if (invitation) {
    const { workspaceId } = invitation;
    const isRuled = workspaceId === joined;
    // Elsewhere nobody is more than whoever invited them wanted.
    const role = (isRuled ? mapped : null) ?? invitation.role;
    const decision = { role, isActive: true, requestedRole: null };
    return { workspaceId, decision, invitation, isFirst: false, isRuled };
  }
  // Whoever has the address proves it at their own account; nothing is made for them here.
  const taken = await client.query('SELECT FROM users WHERE email = $1', [email]);
  if (taken.rowCount === 1) throw new AuthError('company_sign_in_unlinked');
  const workspaceId = joined ?? (await createFirstWorkspace(tx, parts.clock(), language));
  return {
    workspaceId,
    decision: decideCompanySignUp(place, mapped),
    invitation: null,
    isFirst: place === 'empty',
    isRuled: true,
  };
}

/** Whoever reads the mail of an address owns it, and the provider says that they do. */
async function takeInvitation({ client, parts }: Arrival, email: string): Promise<Invitation | null> {
  const { rows } = await client.query<{ id: string; workspaceId: string }>(
    `SELECT id, workspace_id AS "workspaceId" FROM invitations WHERE email = $1 AND state = 'open' AND expires_at > $2
      ORDER BY created_at, id LIMIT 1`,
    [email, parts.clock()],
  );
  const [found] = rows;
  if (!found) return null;
  await client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.membersOfWorkspace}))`,
    [found.workspaceId],
  );
  const conditions = { now: parts.clock(), isSampleOpen: parts.isLocalOnly, lock: true };
  const invitation = await findOpenInvitation(client, found.id, conditions);
  if (invitation) await client.query(`UPDATE invitations SET state = 'taken' WHERE id = $1`, [found.id]);
  return invitation;
}

async function emitArrival(
  { scopeOf, origin }: Arrival,
  {
    userId,
    workspaceId,
    decision,
    invitation,
    name,
  }: Omit<Place, 'isFirst' | 'isRuled'> & { userId: string; name: string },
): Promise<void> {
  const { role, requestedRole } = decision;
  const caller: Caller = { kind: 'person', id: userId, name: name.trim(), workspaceId, permissions: [] };
  const { emit } = scopeOf({ caller, origin });
  if (requestedRole)
    await emit({ type: 'user.asked_to_join', subject: userId, values: { role: requestedRole } });
  else if (invitation)
    await emit({ type: 'user.joined', subject: userId, values: { role, teamId: invitation.teamId } });
  else await emit({ type: 'user.created', subject: userId, values: { role } });
}

/** As the provider writes it, where that can be a name here; else what stands before the @. */
function nameOf(
  { firstName, lastName }: CompanyIdentity,
  email: string,
): { firstName: string; lastName: string } {
  return {
    firstName: checkName(firstName, 'firstName')
      ? email.slice(0, email.indexOf('@')).slice(0, 100)
      : firstName,
    lastName: checkName(lastName, 'lastName') ? '' : lastName,
  };
}
