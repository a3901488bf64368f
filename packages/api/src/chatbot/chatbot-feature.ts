import type { ServerFeature } from '../platform/features/server-feature.ts';
import { answerMessages } from './answer-messages.ts';
import { chatbotApi } from './chatbot-api.ts';
import { chatbotPersonData } from './chatbot-person-data.ts';

export const chatbotFeature = {
  name: 'chatbot',
  router: { chatbot: chatbotApi },
  consumers: [answerMessages],
  tables: {
    bot_settings: 'how the bot answers',
    bot_flows: 'what staff wrote for nobody in particular',
  },
  personData: chatbotPersonData,
} satisfies ServerFeature;
