import type { ServerFeature } from '../platform/features/server-feature.ts';
import { longActJob } from '../platform/long-acts/long-act-job.ts';
import { contactExport } from './contact-export-act.ts';
import { contactFiles } from './contact-files.ts';
import { contactsApi } from './contacts-api.ts';
import { contactsPersonData } from './contacts-person-data.ts';

export const contactsFeature = {
  name: 'contacts',
  tables: {
    contact_counts: 'figures',
    contact_tag_counts: 'figures; a tag that only an erased person had goes with them',
    contact_growth: 'figures',
  },
  router: { contacts: contactsApi },
  files: () => contactFiles,
  jobs: [longActJob(contactExport)],
  personData: contactsPersonData,
} satisfies ServerFeature;
