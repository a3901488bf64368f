import type { ServerFeature } from '../platform/features/server-feature.ts';
import { workspacesApi } from './workspaces-api.ts';

export const workspacesFeature = {
  name: 'workspaces',
  router: { workspaces: workspacesApi },
} satisfies ServerFeature;
