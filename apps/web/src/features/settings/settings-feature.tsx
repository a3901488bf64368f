import { Settings } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const settingsFeature: Feature = {
  name: 'settings',
  navigation: {
    path: paths.settings,
    label: 'common.nav.settings',
    icon: <Settings />,
    access: ['settings:read'],
  },
  routes: [
    {
      path: paths.settings,
      access: ['settings:read'],
      messages: ['settings', 'sending', 'teamwork', 'channels'],
      page: async () => (await import('./settings-page.tsx')).SettingsPage,
      live: { topics: ['settings'], keys: () => [orpc.settings.key(), orpc.dataManagement.key()] },
      prefetch: async ({ queryClient }) => {
        const { generalOptions } = await import('./settings-queries.ts');
        await queryClient.prefetchQuery(generalOptions());
      },
    },
  ],
};
