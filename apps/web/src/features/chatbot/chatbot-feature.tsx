import { Bot } from 'lucide-react';
import type { Feature } from '../../shared/feature.ts';
import { orpc } from '../../shared/api.ts';
import { paths } from '../../shared/paths.ts';

export const chatbotFeature: Feature = {
  name: 'chatbot',
  navigation: {
    path: paths.chatbot,
    label: 'common.nav.chatbot',
    icon: <Bot />,
    access: ['messages:read'],
  },
  routes: [
    {
      path: paths.chatbot,
      access: ['messages:read'],
      formAccess: { new: ['campaigns:create'], edit: ['campaigns:update'] },
      messages: [
        'chatbot',
        'inbox',
        'conversations',
        'chat',
        'composer',
        'quick-replies',
        'outbox',
        'writing',
        'deliveries',
      ],
      page: async () => (await import('./chatbot-page.tsx')).ChatbotPage,
      live: { topics: ['chatbot', 'messages'], keys: () => [orpc.chatbot.key()] },
    },
    {
      path: paths.botFlow('$botFlowId'),
      access: ['campaigns:read'],
      messages: ['bot-flows', 'automation', 'canvas', 'chatbot', 'contacts'],
      page: async () => (await import('./flow-page/bot-flow-page.tsx')).BotFlowPage,
      live: { topics: ['chatbot', 'workflows'], keys: () => [orpc.chatbot.key(), orpc.workflows.get.key()] },
    },
  ],
};
