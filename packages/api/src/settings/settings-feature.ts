import type { ServerFeature } from '../platform/features/server-feature.ts';
import { autoReply } from './auto-reply.ts';
import { logoFiles } from './logo-files.ts';
import { deleteUnusedLogos } from './logos.ts';
import { pushProfile } from './push-profile.ts';
import { settingsApi } from './settings-api.ts';

export const settingsFeature = {
  name: 'settings',
  router: { settings: settingsApi },
  files: () => logoFiles,
  consumers: [autoReply],
  jobs: [pushProfile],
  upkeep: { seldom: [deleteUnusedLogos] },
} satisfies ServerFeature;
