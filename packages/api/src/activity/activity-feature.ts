import type { ServerFeature } from '../platform/features/server-feature.ts';
import { liveStream } from '../platform/stream-live-events.ts';
import { activityApi } from './activity-api.ts';
import { trackPresence } from './track-presence.ts';

export const activityFeature = {
  name: 'activity',
  router: { activity: activityApi },
  files: (parts) => [liveStream({ readSession: parts.readSession, watch: trackPresence(parts) })],
} satisfies ServerFeature;
