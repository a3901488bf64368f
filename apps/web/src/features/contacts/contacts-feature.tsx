import { ContactRound } from 'lucide-react';
import { contactKeys } from '../../shared/contacts/contact-keys.ts';
import type { Feature, FeatureRoute } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

const formAccess: FeatureRoute['formAccess'] = {
  new: ['contacts:create'],
  import: ['contacts:create'],
  // Whoever makes segments changes them, too.
  segment: ['contacts:create'],
  edit: ['contacts:update'],
  consent: ['contacts:update'],
  fields: ['contacts:update', 'templates:update'],
  duplicates: ['contacts:update', 'contacts:delete'],
};

export const contactsFeature: Feature = {
  name: 'contacts',
  navigation: {
    path: paths.contacts,
    label: 'common.nav.contacts',
    icon: <ContactRound />,
    access: ['contacts:read'],
  },
  routes: [
    {
      path: paths.contacts,
      isReadableOffline: true,
      access: ['contacts:read'],
      formAccess,
      messages: ['contacts'],
      page: async () => (await import('./contacts-page.tsx')).ContactsPage,
      live: { topics: ['contacts'], keys: contactKeys },
      prefetch: async (visit) =>
        (await import('../../shared/contacts/contacts-queries.ts')).prefetchContacts(visit),
    },
    {
      path: paths.contact('$contactId'),
      access: ['contacts:read'],
      formAccess,
      messages: ['contacts', 'activity-facts'],
      page: async () => (await import('./contact-page.tsx')).ContactPage,
      prefetch: async (visit) =>
        (await import('../../shared/contacts/contacts-queries.ts')).prefetchContact(visit),
    },
  ],
};
