import type { ServerFeature } from '../platform/features/server-feature.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { contactConsents } from './consents-operation.ts';
import { contactEdit } from './edit-operation.ts';
import { contactActsApi } from './contact-acts-api.ts';
import { contactLayoutApi } from './contact-layout-api.ts';
import { contactExport } from './files/contact-export-operation.ts';
import { contactFiles } from './files/contact-files.ts';
import { contactsApi } from './contacts-api.ts';
import { contactsPersonData } from './contacts-person-data.ts';

export const contactsFeature = {
  name: 'contacts',
  router: { contacts: contactsApi, contactActs: contactActsApi, contactLayout: contactLayoutApi },
  files: () => contactFiles,
  jobs: [operationJob(contactExport), operationJob(contactConsents), operationJob(contactEdit)],
  personData: contactsPersonData,
} satisfies ServerFeature;
