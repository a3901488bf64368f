import type { Role } from '@app/domain/auth/permissions';
import { callBy, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

/** The same browser, in a tab of this workspace. */
export function tabOf(caller: ApiCaller, workspaceId: string): ApiCaller {
  return callBy((path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-workspace', workspaceId);
    return caller.request(path, { ...init, headers });
  });
}

/** Makes somebody with an account a member of one more workspace, as if they had been there since now. */
export async function enterWorkspace(
  api: ApiFixture,
  { userId, workspaceId, role = 'agent' }: { userId: string; workspaceId: string; role?: Role },
): Promise<void> {
  await api.db.systemPool.query('INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)', [
    workspaceId,
    userId,
    role,
  ]);
}
