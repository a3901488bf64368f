import type { ServerFeature } from '../platform/features/server-feature.ts';
import { templateSync, workspaceTemplateSync } from './sync-all-templates.ts';
import { templatesApi } from './templates-api.ts';

export const templatesFeature = {
  name: 'templates',
  router: { templates: templatesApi },
  jobs: [workspaceTemplateSync],
  schedules: [templateSync],
} satisfies ServerFeature;
