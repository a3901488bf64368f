import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactRemovalsApi } from './contact-removals-api.ts';
import { purgeKeptContacts } from './purge-kept-contacts.ts';
import { resumeRemovals } from './run-removals.ts';

export const contactRemovalsFeature = {
  name: 'contact-removals',
  router: { contactRemovals: contactRemovalsApi },
  upkeep: { often: [resumeRemovals, purgeKeptContacts] },
} satisfies ServerFeature;
