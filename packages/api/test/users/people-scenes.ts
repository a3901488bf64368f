import type { ApiCaller, ApiFixture } from '../api-fixture.ts';
import type { Input } from '../rim/contract-routes.ts';
import { addPerson } from './add-person.ts';

/** Scenes of what people who manage users do. */
export function openPeopleScenes(api: ApiFixture, admin: ApiCaller): Record<string, () => Promise<Input>> {
  let count = 0;
  const next = () => (count += 1);
  return {
    'users.update': async () => ({
      userId: (await addPerson(api, 'viewer')).id,
      version: 1,
      firstName: `Renamed ${next()}`,
    }),
    'users.remove': async () => ({ userId: (await addPerson(api, 'viewer')).id }),
    'rolePermissions.update': async () => {
      const { version } = await (await admin.get('/api/role-permissions')).json<{ version: number }>();
      const permissions = next() % 2 === 0 ? ['contacts:read'] : ['contacts:read', 'templates:read'];
      return { version, changes: [{ role: 'viewer', permissions }] };
    },
  };
}
