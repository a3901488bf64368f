import type { ServerFeature } from '../platform/features/server-feature.ts';
import { autoReply } from './auto-reply.ts';
import { logoFiles } from './logo-files.ts';
import { deleteUnusedLogos } from './logos.ts';
import { pushProfile } from './push-profile.ts';
import { settingsApi } from './settings-api.ts';

export const settingsFeature = {
  name: 'settings',
  tables: {
    logos: 'pictures of the business',
    profile_pushes: 'what became of telling platforms of the business',
  },
  router: { settings: settingsApi },
  files: () => logoFiles,
  consumers: [autoReply],
  jobs: [pushProfile],
  upkeep: { seldom: [deleteUnusedLogos] },
} satisfies ServerFeature;
