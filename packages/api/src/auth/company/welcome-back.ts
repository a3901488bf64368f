import { advisoryLocks } from '@app/database/advisory-locks';
import { letMemberIn, saveRole } from '@app/database/auth/write-members';
import type { Role } from '@app/domain/auth/permissions';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import {
  decideCompanyRole,
  findCompanyRole,
  findCompanyTeams,
} from '@app/domain/company-sign-in/company-rules';
import { statusOf } from '@app/domain/users/member-rules';
import { hasLeft, noteUse, type KnownIdentity } from '../../company-sign-in/company-identities.ts';
import { AuthError } from '../auth-response.ts';
import { findSignUpPlace } from '../sign-up.ts';
import type { Arrival, Arrived } from './arrival.ts';

type Account = {
  userId: string;
  email: string;
  name: string;
  isActive: boolean;
  isConfirmed: boolean;
  workspaceId: string;
  role: Role;
  requestedRole: Role | null;
  /** Whether it is the workspace of the operator's rules. */
  isRuled: boolean;
};

/**
 * Somebody whose account is known. The operator's rules count at each sign-in: role and teams follow them, in the workspace that new accounts join and in no
 * other, whose admins alone say what people are there. Whoever was deactivated stays out, whatever the rules say.
 * @throws {AuthError}
 */
export async function welcomeBack(arrival: Arrival, known: KnownIdentity): Promise<Arrived> {
  const { client, identity, rules, parts } = arrival;
  const found = await readAccount(arrival, known.userId);
  if (!found) throw new AuthError('account_inactive');
  // In everybody's order: the people of the workspace first, and what they are is read behind it.
  await client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.membersOfWorkspace}))`,
    [found.workspaceId],
  );
  const account = await readAccount(arrival, known.userId);
  if (!account) throw new AuthError('account_inactive');
  const status = statusOf(account.isActive, account.requestedRole);
  const mapped = account.isRuled ? findCompanyRole(rules, identity.values) : null;
  const isLetIn = status === 'waiting' && mapped !== null && !(await hasLeft(client, identity));
  // Where others let the person in, they come in there, as what they are there.
  if (status !== 'active' && !isLetIn && (await isActiveElsewhere(client, account)))
    return { userId: account.userId, email: account.email };
  if (status === 'inactive') throw new AuthError('account_inactive');
  if (status === 'waiting' && !isLetIn)
    return { isPending: true, mustConfirmAddress: !account.isConfirmed && parts.confirmsAddresses };
  const mappedTeams = account.isRuled ? findCompanyTeams(rules, identity.values) : [];
  if (isLetIn) await letIn(arrival, account, mapped);
  else if (account.isRuled)
    await changeRole(
      arrival,
      account,
      decideCompanyRole({ current: account.role, mapped, mappedBefore: known.mappedRole }),
    );
  if (account.isRuled) await emitTeams(arrival, account, { before: known.mappedTeams, now: mappedTeams });
  await noteUse(client, identity, { mappedRole: mapped, mappedTeams, now: parts.clock() });
  if (!account.isConfirmed && isOwnAddress(arrival, account.email))
    await client.query('UPDATE users SET email_verified = true WHERE id = $1', [account.userId]);
  return { userId: account.userId, email: account.email };
}

/** The provider says that the address is theirs: nobody needs to ask for it by mail. */
function isOwnAddress({ identity }: Arrival, email: string): boolean {
  return identity.isEmailVerified && identity.email !== null && normaliseEmail(identity.email) === email;
}

async function isActiveElsewhere(
  client: Arrival['client'],
  { userId, workspaceId }: Account,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM memberships WHERE user_id = $1 AND workspace_id <> $2 AND is_active LIMIT 1',
    [userId, workspaceId],
  );
  return rowCount === 1;
}

/** In the workspace of the rules; of who is not there, in the one that they are in the longest. */
async function readAccount({ client, tx, parts }: Arrival, userId: string): Promise<Account | null> {
  const { workspaceId: ruled } = await findSignUpPlace(tx, parts.isLocalOnly);
  const { rows } = await client.query<Account>(
    `SELECT u.id AS "userId", u.email, u.name, m.is_active AS "isActive", u.email_verified AS "isConfirmed",
            m.workspace_id AS "workspaceId", m.role, m.requested_role AS "requestedRole",
            m.workspace_id IS NOT DISTINCT FROM $2::uuid AS "isRuled"
       FROM users u JOIN memberships m ON m.user_id = u.id JOIN workspaces w ON w.id = m.workspace_id
      WHERE u.id = $1 ORDER BY "isRuled" DESC, m.created_at, w.id LIMIT 1`,
    [userId, ruled],
  );
  return rows[0] ?? null;
}

async function letIn(arrival: Arrival, { userId, name, workspaceId }: Account, role: Role): Promise<void> {
  const { client, scopeOf } = arrival;
  await letMemberIn(client, { workspaceId, userId }, role);
  await scopeOf(workspaceId).emit({ type: 'user.approved', subject: userId, values: { name, role } });
}

/** Nobody is told whose role stays, and the last active admin stays one. */
async function changeRole(
  { client, scopeOf, parts }: Arrival,
  { userId, name, workspaceId, role: from }: Account,
  to: Role,
): Promise<void> {
  if (to === from) return;
  if (from === 'admin') {
    const { rowCount } = await client.query(
      `SELECT FROM memberships m
        WHERE m.workspace_id = $1 AND m.role = 'admin' AND m.is_active AND m.user_id <> $2 LIMIT 1`,
      [workspaceId, userId],
    );
    if (rowCount === 0) {
      parts.logger.warn({}, 'the rules of the company sign-in would take away the last admin, who stays one');
      return;
    }
  }
  await saveRole(client, { workspaceId, userId }, to);
  await scopeOf(workspaceId).emit({ type: 'user.role_changed', subject: userId, values: { name, from, to } });
}

/** Teams follow the fact. What the rules never gave they do not take. */
export async function emitTeams(
  { scopeOf }: Arrival,
  { userId, workspaceId }: Pick<Account, 'userId' | 'workspaceId'>,
  { before, now }: { before: readonly string[]; now: readonly string[] },
): Promise<void> {
  const joins = now.filter((team) => !before.includes(team));
  const leaves = before.filter((team) => !now.includes(team));
  if (joins.length + leaves.length === 0) return;
  await scopeOf(workspaceId).emit({ type: 'user.company_teams', subject: userId, values: { joins, leaves } });
}
