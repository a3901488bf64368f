import { Plug } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const integrationsFeature: Feature = {
  name: 'integrations',
  navigation: {
    path: paths.integrations,
    label: 'common.nav.integrations',
    icon: <Plug />,
    access: ['settings:read'],
  },
  routes: [
    {
      path: paths.integrations,
      access: ['settings:read'],
      messages: ['integrations'],
      page: async () => (await import('./integrations-page.tsx')).IntegrationsPage,
      live: { topics: ['integrations'], keys: () => [orpc.integrations.key(), orpc.integrationEvents.key()] },
      prefetch: async ({ queryClient }) => {
        await queryClient.prefetchQuery(orpc.integrations.list.queryOptions({ input: {} }));
      },
    },
  ],
};
