import type { ServerFeature } from '../platform/features/server-feature.ts';
import { longActJob } from '../platform/long-acts/long-act-job.ts';
import { contactRemovalsApi } from './contact-removals-api.ts';
import { purgeKeptContacts } from './purge-kept-contacts.ts';
import { contactRemoval, contactRestore } from './removal-acts.ts';

export const contactRemovalsFeature = {
  name: 'contact-removals',
  router: { contactRemovals: contactRemovalsApi },
  jobs: [longActJob(contactRemoval), longActJob(contactRestore)],
  upkeep: { often: [purgeKeptContacts] },
} satisfies ServerFeature;
