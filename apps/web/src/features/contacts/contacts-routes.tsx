import type { FeatureRoute } from '../../shared/feature-route.ts';
import { paths } from '../../shared/paths.ts';
import { contactOptions, listOptions, readContactsSearch, summaryOptions } from './contacts-queries.ts';

export const contactsRoutes: readonly FeatureRoute[] = [
  {
    path: paths.contacts,
    isReadableOffline: true,
    access: ['contacts:read'],
    messages: ['contacts'],
    page: async () => (await import('./contacts-page.tsx')).ContactsPage,
    prefetch: ({ queryClient, search }) =>
      Promise.all([
        queryClient.prefetchQuery(summaryOptions),
        queryClient.prefetchInfiniteQuery(listOptions(readContactsSearch(search))),
      ]),
  },
  {
    path: paths.contact('$contactId'),
    access: ['contacts:read'],
    messages: ['contacts'],
    page: async () => (await import('./contact-page.tsx')).ContactPage,
    prefetch: ({ queryClient, params }) =>
      params.contactId && queryClient.prefetchQuery(contactOptions(params.contactId)),
  },
];
