import { keepMemberOut, letMemberIn, saveRole } from '@app/database/auth/write-members';
import { deleteInvitedAddress } from '../platform/facts/log-entries.ts';
import type { Role } from '@app/domain/auth/permissions';
import { checkName, checkPhoneNumber } from '@app/domain/auth/sign-up-rules';
import { endQuietly } from '../auth/sessions/end-sessions.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findHeir, handOver, type Heir } from './hand-over.ts';
import { hasAdmin, type MemberChange, type Person } from './member-change.ts';

export type MemberError = 'user_not_found' | 'user_is_self' | 'user_above' | 'last_admin';

export type UserChange = {
  userId: string;
  version: number;
  firstName?: string | undefined;
  lastName?: string | undefined;
  phoneNumber?: string | null | undefined;
  role?: Role | undefined;
};
/** Throws where the caller must prove once more who they are before they give this role. */
type BeforeGiving = (role: Role) => void;
type FieldError = { field: 'firstName' | 'lastName' | 'phoneNumber'; problem: string };

/** Null for a change that was saved. */
export async function changeUser(
  scope: WorkspaceScope,
  act: MemberChange,
  { userId, version, role, ...fields }: UserChange,
  beforeGiving: BeforeGiving,
): Promise<
  MemberError | 'user_elsewhere' | 'user_changed' | 'user_waits' | 'role_too_high' | FieldError | null
> {
  const person = await act.findPerson(userId);
  if (typeof person === 'string') return person;
  if (person.version !== version) return 'user_changed';
  if (person.status === 'waiting') return 'user_waits';
  const wanted = {
    firstName: (fields.firstName ?? person.firstName).trim(),
    lastName: (fields.lastName ?? person.lastName).trim(),
    phoneNumber: (fields.phoneNumber === undefined ? person.phoneNumber : fields.phoneNumber)?.trim() || null,
  };
  const wrong = findWrongField(wanted);
  if (wrong) return wrong;
  const newRole = role ?? person.role;
  if (newRole !== person.role && !act.mayAssign(newRole)) return 'role_too_high';
  if (newRole !== person.role) beforeGiving(newRole);
  const hasNewName = (['firstName', 'lastName', 'phoneNumber'] as const).some(
    (name) => wanted[name] !== person[name],
  );
  if (!hasNewName && newRole === person.role) return null;
  if (hasNewName && !(await saveAccount(scope, { ...person, ...wanted }))) return 'user_elsewhere';
  await saveRole(scope, { workspaceId: scope.workspaceId, userId: person.id }, newRole);
  if (newRole !== person.role) {
    if (!(await hasAdmin(scope))) return 'last_admin';
    const values = { name: person.name, from: person.role, to: newRole };
    await scope.emit({ type: 'user.role_changed', subject: person.id, values });
  }
  const name = `${wanted.firstName} ${wanted.lastName}`;
  if (hasNewName) await scope.emit({ type: 'user.updated', subject: person.id, values: { name } });
  return null;
}

/** Lets somebody in again, or for the first time; null for who is in. */
export async function activateUser(
  scope: WorkspaceScope,
  act: MemberChange,
  { userId, role }: { userId: string; role?: Role | undefined },
  beforeGiving: BeforeGiving,
): Promise<MemberError | 'role_too_high' | { wasWaiting: boolean } | null> {
  const person = await act.findPerson(userId);
  if (typeof person === 'string') return person;
  if (person.isActive) return null;
  const newRole = role ?? person.requestedRole ?? person.role;
  if (!act.mayAssign(newRole)) return 'role_too_high';
  beforeGiving(newRole);
  await letMemberIn(scope, { workspaceId: scope.workspaceId, userId: person.id }, newRole);
  const { id: subject, name } = person;
  await scope.emit(
    person.status === 'waiting'
      ? { type: 'user.approved', subject, values: { name, role: newRole } }
      : { type: 'user.activated', subject, values: { name } },
  );
  return { wasWaiting: person.status === 'waiting' };
}

/** Where nobody can confirm an address by mail. */
export async function changeAddress(
  scope: WorkspaceScope,
  act: MemberChange,
  { userId, email }: { userId: string; email: string },
): Promise<MemberError | 'user_elsewhere' | 'email_taken' | null> {
  const person = await act.findPerson(userId);
  if (typeof person === 'string') return person;
  if (person.email === email) return null;
  const { rows } = await scope.query<{ outcome: 'changed' | 'taken' | 'elsewhere' }>(
    'SELECT change_address_of_member($1, $2, $3) AS outcome',
    [person.id, email, scope.clock()],
  );
  if (rows[0]?.outcome === 'taken') return 'email_taken';
  if (rows[0]?.outcome !== 'changed') return 'user_elsewhere';
  await scope.emit({ type: 'user.email_changed', subject: person.id, values: { name: person.name } });
  return null;
}

type Leaving = { userId: string; handOverTo: string | null };

export async function deactivateUser(
  scope: WorkspaceScope,
  act: MemberChange,
  { userId, handOverTo }: Leaving,
): Promise<MemberError | 'user_waits' | 'heir_not_found' | null> {
  const person = await act.findPerson(userId);
  if (typeof person === 'string') return person;
  if (person.status === 'waiting') return 'user_waits';
  if (!person.isActive) return null;
  const heir = await findHeir(scope, { from: person.id, to: handOverTo });
  if (heir === undefined) return 'heir_not_found';
  await keepMemberOut(scope, { workspaceId: scope.workspaceId, userId: person.id });
  if (!(await hasAdmin(scope))) return 'last_admin';
  await endQuietly(scope, person.id);
  await handOver(scope, person.id, heir);
  await scope.emit({ type: 'user.deactivated', subject: person.id, values: sayLeft(person, heir) });
  return null;
}

/** With password, sessions and links; what they did stays in the audit log under their name. */
export async function removeUser(
  scope: WorkspaceScope,
  act: MemberChange,
  { userId, handOverTo }: Leaving,
): Promise<MemberError | 'heir_not_found' | null> {
  const person = await act.findPerson(userId);
  if (typeof person === 'string') return person;
  const heir = await findHeir(scope, { from: person.id, to: handOverTo });
  if (heir === undefined) return 'heir_not_found';
  await handOver(scope, person.id, heir);
  await scope.query('SELECT remove_member($1)', [person.id]);
  if (!(await hasAdmin(scope))) return 'last_admin';
  await deleteAddress(scope, person.email);
  const { id: subject, name } = person;
  await scope.emit(
    person.status === 'waiting'
      ? { type: 'user.declined', subject, values: { name } }
      : { type: 'user.deleted', subject, values: sayLeft(person, heir) },
  );
  return null;
}

function sayLeft({ name }: Person, heir: Heir | null) {
  return { name, isHandedOver: heir !== null, heir: heir?.name ?? '' };
}

/** Who was invited by address: it goes with the account. */
export async function deleteAddress(scope: WorkspaceScope, email: string): Promise<void> {
  await deleteInvitedAddress(scope, email);
  await scope.query(`DELETE FROM invitations WHERE workspace_id = $1 AND email = $2`, [
    scope.workspaceId,
    email,
  ]);
}

/** False for an account that another workspace has too. */
async function saveAccount(
  scope: WorkspaceScope,
  { id, firstName, lastName, phoneNumber }: Pick<Person, 'id' | 'firstName' | 'lastName' | 'phoneNumber'>,
): Promise<boolean> {
  const { rows } = await scope.query<{ saved: boolean }>(
    'SELECT change_account_of_member($1, $2, $3, $4, $5) AS saved',
    [id, firstName, lastName, phoneNumber, scope.clock()],
  );
  return rows[0]?.saved === true;
}

/** The rules of the sign-up form. */
function findWrongField(fields: {
  firstName: string;
  lastName: string;
  phoneNumber: string | null;
}): FieldError | undefined {
  const found = [
    ['firstName', checkName(fields.firstName, 'firstName')],
    ['lastName', checkName(fields.lastName, 'lastName')],
    ['phoneNumber', checkPhoneNumber(fields.phoneNumber ?? '')],
  ] as const;
  for (const [field, problem] of found) if (problem) return { field, problem };
  return undefined;
}
