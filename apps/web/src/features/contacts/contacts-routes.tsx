import type { Permission } from '@app/domain/auth/permissions';
import type { FeatureRoute } from '../../shared/feature-route.ts';
import { paths } from '../../shared/paths.ts';

const accessOfDialog: Record<string, readonly Permission[] | undefined> = {
  new: ['contacts:create'],
  import: ['contacts:create'],
  edit: ['contacts:update'],
  consent: ['contacts:update'],
  fields: ['contacts:update', 'templates:update'],
  duplicates: ['contacts:update', 'contacts:delete'],
};

const accessOf: FeatureRoute['accessOf'] = ({ dialog, segment }) =>
  dialog === 'segment'
    ? [segment ? 'contacts:update' : 'contacts:create']
    : (accessOfDialog[String(dialog)] ?? []);

export const contactsRoutes: readonly FeatureRoute[] = [
  {
    path: paths.contacts,
    isReadableOffline: true,
    access: ['contacts:read'],
    accessOf,
    messages: ['contacts'],
    page: async () => (await import('./contacts-page.tsx')).ContactsPage,
    prefetch: async ({ queryClient, search }) => {
      const { listOptions, readContactsSearch, summaryOptions } = await import('./contacts-queries.ts');
      await Promise.all([
        queryClient.prefetchQuery(summaryOptions),
        queryClient.prefetchInfiniteQuery(listOptions(readContactsSearch(search))),
      ]);
    },
  },
  {
    path: paths.contact('$contactId'),
    access: ['contacts:read'],
    accessOf,
    messages: ['contacts'],
    page: async () => (await import('./contact-page.tsx')).ContactPage,
    prefetch: async ({ queryClient, params }) => {
      const { contactOptions } = await import('./contacts-queries.ts');
      if (params.contactId) await queryClient.prefetchQuery(contactOptions(params.contactId));
    },
  },
];
