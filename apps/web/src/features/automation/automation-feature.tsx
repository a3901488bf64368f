import { Workflow } from 'lucide-react';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const automationFeature: Feature = {
  name: 'automation',
  navigation: {
    path: paths.automation,
    label: 'common.nav.automation',
    icon: <Workflow />,
    access: ['campaigns:read'],
  },
  routes: [
    {
      path: paths.automation,
      access: ['campaigns:read'],
      messages: ['automation', 'missing-page'],
      page: async () => (await import('./automation-page.tsx')).AutomationPage,
    },
  ],
};
