import { createCaller, PASSWORD, readCookies, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addPerson } from '../users/add-person.ts';

/** A manager of the workspace, and the way to decide what managers may do from the next request on. */
export async function signedInManager(api: ApiFixture): Promise<{
  caller: ApiCaller;
  cookie: string;
  allow(permissions: readonly string[]): Promise<void>;
}> {
  const { email } = await addPerson(api, 'manager');
  const cookie = readCookies(
    await api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD }),
  );
  return {
    caller: createCaller(api.app, cookie),
    cookie,
    async allow(permissions) {
      await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
        api.workspaceId,
        JSON.stringify({ manager: permissions }),
      ]);
    },
  };
}
