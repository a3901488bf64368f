import { addAccount } from '../../src/auth/seed-accounts.ts';
import type { Role } from '@app/domain/auth/permissions';
import { passwordHash, type ApiFixture } from '../api-fixture.ts';

let count = 0;

/** Somebody new in the workspace of the fixture, who signs in with `PASSWORD`. Gives their address. */
export async function addPerson(api: ApiFixture, role: Role = 'agent'): Promise<string> {
  const email = `person${(count += 1)}@acme.test`;
  const hash = await passwordHash;
  const account = { email, firstName: 'Person', lastName: String(count), role };
  await api.db.inSystem((tx) => addAccount(tx, api.workspaceId, account, hash));
  return email;
}
