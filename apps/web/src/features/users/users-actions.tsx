import { UserPlus } from 'lucide-react';
import type { FeatureAction } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

/** What the palette offers to do. */
export const usersActions: readonly FeatureAction[] = [
  {
    label: 'palette.newUser',
    icon: <UserPlus />,
    path: paths.users,
    search: { dialog: 'new' },
    access: ['users:create'],
  },
  {
    label: 'palette.newTeam',
    icon: <UserPlus />,
    path: paths.users,
    search: { tab: 'teams', teamDialog: 'new' },
    access: ['users:update'],
  },
];
