import type { ServerFeature } from '../platform/features/server-feature.ts';
import { bulkMessageApi } from './bulk-message-api.ts';

export const bulkMessageFeature = {
  name: 'bulk-message',
  router: { bulkMessage: bulkMessageApi },
} satisfies ServerFeature;
