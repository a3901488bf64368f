import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactMergesApi } from './contact-merges-api.ts';

export const contactMergesFeature = {
  name: 'contact-merges',
  router: { contactMerges: contactMergesApi },
} satisfies ServerFeature;
