import type { OpenScenes } from '../scene-kit.ts';
import { addPerson } from './add-person.ts';

export const openScenes: OpenScenes = ({ api, admin, next }) => {
  const invite = async () => {
    const answer = await admin.post('/api/invitations', { email: `guest${next()}@acme.test`, role: 'agent' });
    return (await answer.json<{ id: string }>()).id;
  };
  const addTeam = async () => {
    const answer = await admin.post('/api/teams', { name: `Team ${next()}` });
    return answer.json<{ id: string; version: number }>();
  };
  return {
    scenes: {
      'users.update': async () => ({
        userId: (await addPerson(api, 'viewer')).id,
        version: 1,
        firstName: `Renamed ${next()}`,
      }),
      'factors.reset': async () => {
        const { id: userId } = await addPerson(api, 'viewer');
        await api.db.systemPool.query(
          `INSERT INTO two_factor (user_id, secret_sealed, enabled_at, created_at) VALUES ($1, 'sealed', now(), now())`,
          [userId],
        );
        return { userId };
      },
      'users.remove': async () => ({ userId: (await addPerson(api, 'viewer')).id }),
      'invitations.create': async () => ({ email: `guest${next()}@acme.test`, role: 'agent' }),
      'invitations.sendAgain': async () => {
        const invitationId = await invite();
        // Of one invitation there is a mail a minute at most.
        await api.db.systemPool.query(
          `UPDATE invitations SET sent_at = sent_at - interval '5 minutes' WHERE id = $1`,
          [invitationId],
        );
        return { invitationId };
      },
      'invitations.revoke': async () => ({ invitationId: await invite() }),
      'workspaces.create': async () => ({ name: `Workspace ${next()}` }),
      'teams.create': async () => ({ name: `Team ${next()}` }),
      'teams.update': async () => {
        const { id: teamId, version } = await addTeam();
        return { teamId, version, name: `Renamed team ${next()}` };
      },
      'teams.remove': async () => ({ teamId: (await addTeam()).id }),
      'rolePermissions.update': async () => {
        const { version } = await (await admin.get('/api/role-permissions')).json<{ version: number }>();
        const permissions = next() % 2 === 0 ? ['contacts:read'] : ['contacts:read', 'templates:read'];
        return { version, changes: [{ role: 'viewer', permissions }] };
      },
    },
  };
};
