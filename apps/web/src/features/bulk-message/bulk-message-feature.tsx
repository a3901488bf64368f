import { Send } from 'lucide-react';
import type { Permission } from '@app/domain/auth/permissions';
import { orpc } from '../../shared/api.ts';
import { paths } from '../../shared/paths.ts';
import type { Feature } from '../../shared/feature.ts';

const access: readonly Permission[] = ['messages:create', 'campaigns:create'];

export const bulkMessageFeature: Feature = {
  name: 'bulk-message',
  navigation: { path: paths.bulkMessage, label: 'common.nav.bulkMessage', icon: <Send />, access },
  routes: [
    {
      path: paths.bulkMessage,
      access,
      messages: ['bulk-message', 'sending', 'writing'],
      page: async () => (await import('./bulk-message-page.tsx')).BulkMessagePage,
      prefetch: ({ queryClient }) =>
        queryClient.prefetchQuery(orpc.contacts.listTags.queryOptions({ input: {} })),
    },
  ],
};
