import type { ServerFeature } from '../platform/features/server-feature.ts';
import { quickRepliesApi } from './quick-replies-api.ts';

export const quickRepliesFeature = {
  name: 'quick-replies',
  router: { quickReplies: quickRepliesApi },
} satisfies ServerFeature;
