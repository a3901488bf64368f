import type { ServerFeature } from '../platform/features/server-feature.ts';
import { quickRepliesApi } from './quick-replies-api.ts';

export const quickRepliesFeature = {
  name: 'quick-replies',
  tables: {
    quick_replies: 'texts that staff wrote for nobody in particular',
  },
  router: { quickReplies: quickRepliesApi },
} satisfies ServerFeature;
