import { newId } from '@app/database/new-id';
import type { Role } from '@app/domain/auth/permissions';
import { addAccount } from '../../src/auth/seed-accounts.ts';
import { passwordHash, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

/** A colleague of the four roles, with the password of everybody; answers with their id and address. */
export async function addPerson(
  api: ApiFixture,
  role: Role,
  firstName = 'Noor',
): Promise<{ id: string; email: string }> {
  const email = `p${newId()}@acme.test`;
  const hash = await passwordHash;
  await api.db.inSystem((tx) =>
    addAccount(tx, api.workspaceId, { email, firstName, lastName: 'Haddad', role }, hash),
  );
  return { id: await api.userId(email), email };
}

/** The same, signed in. */
export async function addCaller(
  api: ApiFixture,
  role: Role,
  firstName?: string,
): Promise<{ id: string; email: string; caller: ApiCaller }> {
  const person = await addPerson(api, role, firstName);
  return { ...person, caller: await signIn(api.app, person.email) };
}
