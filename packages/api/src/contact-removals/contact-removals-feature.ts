import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactRemovalsApi } from './contact-removals-api.ts';
import { purgeKeptContacts } from './purge-kept-contacts.ts';
import { resumeRemovals } from './run-removals.ts';

export const contactRemovalsFeature = {
  name: 'contact-removals',
  tables: {
    contact_removals: 'what staff chose to delete, and figures',
  },
  router: { contactRemovals: contactRemovalsApi },
  upkeep: { often: [resumeRemovals, purgeKeptContacts] },
} satisfies ServerFeature;
