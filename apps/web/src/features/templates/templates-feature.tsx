import { FileText } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature, FeatureRoute } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

const formAccess: FeatureRoute['formAccess'] = {
  new: ['templates:create'],
  duplicate: ['templates:create'],
  translate: ['templates:create'],
  edit: ['templates:update'],
};

export const templatesFeature: Feature = {
  name: 'templates',
  navigation: {
    path: paths.templates,
    label: 'common.nav.templates',
    icon: <FileText />,
    access: ['templates:read'],
  },
  routes: [
    {
      path: paths.templates,
      isReadableOffline: true,
      access: ['templates:read'],
      formAccess,
      messages: ['templates', 'media', 'writing', 'deliveries'],
      page: async () => (await import('./templates-page.tsx')).TemplatesPage,
      live: { topics: ['templates'], keys: () => [orpc.templates.key()] },
      prefetch: async (visit) => (await import('./templates-queries.ts')).prefetchTemplates(visit),
    },
  ],
};
