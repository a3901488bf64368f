import { orpc, type api } from '../../../shared/api.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';

export type AiState = Awaited<ReturnType<typeof api.botAi.get>>;

export const aiOptions = orpc.botAi.get.queryOptions({ input: {} });

export const aiError = errorMessageOf({
  bot_ai_changed: 'chatbot.ai.error.changed',
  bot_ai_key_needed: 'chatbot.ai.error.key',
  bot_ai_address_refused: 'chatbot.ai.error.address',
});
