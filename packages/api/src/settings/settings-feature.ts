import type { ServerFeature } from '../platform/features/server-feature.ts';
import { autoReply } from './auto-reply.ts';
import { pushProfile } from './push-profile.ts';
import { settingsApi } from './settings-api.ts';

export const settingsFeature = {
  name: 'settings',
  tables: {
    profile_pushes: 'what became of telling platforms of the business',
  },
  router: { settings: settingsApi },
  consumers: [autoReply],
  jobs: [pushProfile],
} satisfies ServerFeature;
