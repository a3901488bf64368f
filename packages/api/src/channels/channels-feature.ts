import type { ServerFeature } from '../platform/features/server-feature.ts';
import { channelsApi } from './channels-api.ts';

export const channelsFeature = {
  name: 'channels',
  tables: {
    channels: 'numbers of the workspace',
  },
  router: { channels: channelsApi },
} satisfies ServerFeature;
