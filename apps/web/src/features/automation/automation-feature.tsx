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
      formAccess: { new: ['campaigns:create'] },
      messages: ['automation'],
      page: async () => (await import('./automation-page.tsx')).AutomationPage,
    },
    {
      path: paths.workflow('$workflowId'),
      access: ['campaigns:read'],
      messages: ['automation', 'canvas', 'workflow-runs', 'contacts', 'deliveries'],
      page: async () => (await import('./workflow-page.tsx')).WorkflowPage,
    },
  ],
};
