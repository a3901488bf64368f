import { MessageSquareMore } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const rcsFeature: Feature = {
  name: 'rcs',
  navigation: {
    path: paths.rcs,
    label: 'common.nav.rcs',
    icon: <MessageSquareMore />,
    access: ['campaigns:read'],
  },
  routes: [
    {
      path: paths.rcs,
      access: ['campaigns:read'],
      formAccess: { new: ['campaigns:create'], copy: ['campaigns:create'], edit: ['campaigns:update'] },
      messages: ['rcs'],
      page: async () => (await import('./rcs-page.tsx')).RcsPage,
      live: {
        topics: ['rcs', 'campaigns'],
        keys: () => [orpc.rcs.key(), orpc.campaigns.list.key(), orpc.campaigns.summarize.key()],
      },
    },
  ],
};
