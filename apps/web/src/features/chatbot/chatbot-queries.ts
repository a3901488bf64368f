import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';
import { botStatuses, type BotStatus } from '@app/domain/chatbot/bot-state';

export type BotSettings = Awaited<ReturnType<typeof api.chatbot.getSettings>>;
export type BotFlow = Awaited<ReturnType<typeof api.chatbot.listFlows>>['items'][number];
export type BotAnswer = Awaited<ReturnType<typeof api.chatbot.listAnswers>>['items'][number];

export const settingsOptions = orpc.chatbot.getSettings.queryOptions({ input: {} });
export const flowsOptions = orpc.chatbot.listFlows.queryOptions({ input: {} });

export const chatbotTabs = ['conversations', 'flows', 'analytics', 'settings'] as const;

/** What of the page stands in the address. */
export function readChatbotSearch(search: Record<string, unknown>) {
  return {
    tab: readOneOf(search, 'tab', chatbotTabs),
    status: readOneOf(search, 'status', ['', ...botStatuses]),
    conversation: readText(search, 'conversation'),
    dialog: readOneOf(search, 'dialog', ['', 'new', 'edit', 'why', 'knowledge']),
    flow: readText(search, 'flow'),
    /** The keywords with which a new flow begins. */
    words: readText(search, 'words'),
    days: readOneOf(search, 'days', ['30', '7', '90']),
  };
}

export function botConversationsOptions(status: BotStatus | '') {
  return orpc.chatbot.listConversations.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(status && { status }),
      ...(cursor && { cursor }),
      limit: 50,
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

export function botPartOptions(conversationId: string) {
  return orpc.chatbot.getConversation.queryOptions({ input: { conversationId } });
}

export const chatbotError = errorMessageOf({
  bot_flow_limit: 'chatbot.error.limit',
  bot_flow_template_gone: 'chatbot.error.template',
  bot_flow_not_found: 'chatbot.error.gone',
  bot_flow_not_published: 'chatbot.error.notPublished',
});
