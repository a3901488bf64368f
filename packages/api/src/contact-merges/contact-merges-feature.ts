import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactMergesApi } from './contact-merges-api.ts';
import { mergesPersonData } from './merges-person-data.ts';

export const contactMergesFeature = {
  name: 'contact-merges',
  router: { contactMerges: contactMergesApi },
  personData: mergesPersonData,
} satisfies ServerFeature;
