import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactFiles } from './contact-files.ts';
import { contactsApi } from './contacts-api.ts';
import { contactsPersonData } from './contacts-person-data.ts';

export const contactsFeature = {
  name: 'contacts',
  router: { contacts: contactsApi },
  files: () => contactFiles,
  personData: contactsPersonData,
} satisfies ServerFeature;
