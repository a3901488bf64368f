import type { ServerFeature } from '../platform/features/server-feature.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { contactRemovalsApi } from './contact-removals-api.ts';
import { purgeKeptContacts } from './purge-kept-contacts.ts';
import { contactRemoval, contactRestore } from './removal-operations.ts';

export const contactRemovalsFeature = {
  name: 'contact-removals',
  router: { contactRemovals: contactRemovalsApi },
  jobs: [operationJob(contactRemoval), operationJob(contactRestore)],
  upkeep: { often: [purgeKeptContacts] },
} satisfies ServerFeature;
