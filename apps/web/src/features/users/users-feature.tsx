import { UserPlus, Users } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { loadMessages } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';

export const usersFeature: Feature = {
  name: 'users',
  navigation: {
    path: paths.users,
    label: 'common.nav.users',
    icon: <Users />,
    access: ['users:read'],
  },
  actions: [
    {
      label: 'palette.newUser',
      icon: <UserPlus />,
      path: paths.users,
      search: { dialog: 'new' },
      access: ['users:create'],
    },
  ],
  routes: [
    {
      path: paths.users,
      access: ['users:read'],
      deniedText: 'users.accessDeniedText',
      formAccess: {
        new: ['users:create'],
        edit: ['users:update'],
        deactivate: ['users:update'],
        delete: ['users:delete'],
        permissions: ['users:manage'],
      },
      messages: ['users', 'teams', 'activity'],
      page: async () => (await import('./users-page.tsx')).UsersPage,
      live: {
        topics: ['users', 'presence', 'teams'],
        keys: () => [
          orpc.users.key(),
          orpc.invitations.key(),
          orpc.sessions.key(),
          orpc.rolePermissions.key(),
          orpc.teams.key(),
        ],
      },
      prefetch: async ({ queryClient, search }) => {
        const { listOptions, readUsersSearch, summaryOptions } = await import('./users-queries.ts');
        const wanted = readUsersSearch(search);
        if (wanted.tab === 'activity') await loadMessages('activity-facts');
        if (wanted.tab !== 'users') return;
        await Promise.all([
          queryClient.prefetchQuery(summaryOptions),
          queryClient.prefetchInfiniteQuery(listOptions(wanted)),
        ]);
      },
    },
  ],
};
