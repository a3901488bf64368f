import type { FeatureNeeds } from './feature-needs.ts';

export const usersNeeds: FeatureNeeds = {
  endpoints: {
    'signed in': 'workspaces.list workspaces.create workspaces.leave',
    // The team says who decides in it; that is asked behind this.
    'users:read': `users.list users.summarize users.get sessions.list invitations.list rolePermissions.get teams.list teams.get
      teams.update teams.remove teams.addMember teams.setMember teams.removeMember`,
    'users:create': 'invitations.create invitations.sendAgain invitations.revoke',
    'users:update':
      'users.update users.activate users.deactivate sessions.end sessions.endAllOf teams.create',
    'users:delete': 'users.remove',
    'users:manage': 'rolePermissions.update factors.get factors.reset users.changeEmail',
  },
  addresses: {
    'signed in': ['GET /api/avatars/:userId'],
  },
  reauthentication: [
    'workspaces.leave',
    'users.deactivate',
    'users.remove',
    'users.changeEmail',
    'rolePermissions.update',
    'factors.reset',
    // Of an admin, as the test asks for.
    'invitations.create',
  ],
  setUp: ['workspaces.list'],
  keys: { endpoints: 'users.list' },
};
