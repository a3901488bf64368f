import { Inbox } from 'lucide-react';
import type { Feature } from '../../shared/feature.ts';
import { listKeys } from '../../shared/conversations/conversation-keys.ts';
import { paths } from '../../shared/paths.ts';

export const inboxFeature: Feature = {
  name: 'inbox',
  navigation: {
    path: paths.inbox,
    label: 'common.nav.inbox',
    icon: <Inbox />,
    access: ['messages:read', 'contacts:read'],
    count: 'inbox',
  },
  routes: [
    {
      // One page with and without a conversation: the list keeps its place.
      path: `${paths.inbox}/{-$conversationId}`,
      isReadableOffline: true,
      access: ['messages:read', 'contacts:read'],
      formAccess: { 'new-chat': ['messages:create'] },
      messages: [
        ...(['inbox', 'conversations', 'chat', 'composer', 'quick-replies', 'outbox', 'writing'] as const),
        ...(['teamwork', 'contact-panel', 'deliveries'] as const),
      ],
      page: async () => (await import('./inbox-page.tsx')).InboxPage,
      loadLater: () => import('./conversation-pane.tsx'),
      live: { topics: ['messages', 'contacts'], keys: listKeys },
      prefetch: async (visit) =>
        (await import('../../shared/conversations/conversations-queries.ts')).prefetchInbox(visit),
    },
  ],
};
