import type { ServerFeature } from '../platform/features/server-feature.ts';
import { settingsApi } from './settings-api.ts';

export const settingsFeature = {
  name: 'settings',
  router: { settings: settingsApi },
} satisfies ServerFeature;
