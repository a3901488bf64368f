import { Users } from 'lucide-react';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const usersFeature: Feature = {
  name: 'users',
  navigation: {
    path: paths.users,
    label: 'common.nav.users',
    icon: <Users />,
    access: ['users:read'],
  },
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
      prefetch: async (visit) => (await import('./users-page.tsx')).prefetchUsers(visit),
    },
  ],
};
