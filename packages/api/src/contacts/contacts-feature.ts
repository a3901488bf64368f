import type { ServerFeature } from '../platform/features/server-feature.ts';
import { contactFiles } from './contact-files.ts';
import { contactsApi } from './contacts-api.ts';

export const contactsFeature = {
  name: 'contacts',
  router: { contacts: contactsApi },
  files: () => contactFiles,
} satisfies ServerFeature;
