import type { ServerFeature } from '../platform/features/server-feature.ts';
import { channelsApi } from './channels-api.ts';

export const channelsFeature = {
  name: 'channels',
  router: { channels: channelsApi },
} satisfies ServerFeature;
