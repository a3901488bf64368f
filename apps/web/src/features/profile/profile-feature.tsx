import { UserRound } from 'lucide-react';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';
import { profileKeys, profileOptions } from './profile-queries.ts';

export const profileFeature: Feature = {
  name: 'profile',
  navigation: { path: paths.profile, label: 'common.nav.profile', icon: <UserRound />, access: [] },
  routes: [
    {
      path: paths.profile,
      messages: ['profile', 'palette'],
      page: async () => (await import('./profile-page.tsx')).ProfilePage,
      live: { topics: ['users'], keys: profileKeys },
      prefetch: ({ queryClient }) => queryClient.prefetchQuery(profileOptions()),
    },
  ],
};
