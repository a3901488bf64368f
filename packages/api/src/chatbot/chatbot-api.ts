import { chatbotContract } from '@app/contracts/chatbot/chatbot-contract';
import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readBotAnalytics } from './analytics/bot-analytics.ts';
import { findBotPart, listBotAnswers, listBotConversations, setBotStatus } from './bot-conversations.ts';
import {
  addBotFlow,
  changeBotFlow,
  importBotFlow,
  listBotFlows,
  orderBotFlows,
  removeBotFlow,
  switchBotFlow,
} from './bot-flows-queries.ts';
import { changeBotSettings, findBotSettings } from './bot-settings.ts';

const os = implementEndpoints(chatbotContract);

export const chatbotApi = os.router({
  getSettings: os.getSettings.handler(({ context }) => context.read(findBotSettings)),

  updateSettings: os.updateSettings.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      // What is left out stays: it is not in the input at all.
      const changed = await changeBotSettings(scope, input as Partial<BotSettings> & { version: number });
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  listFlows: os.listFlows.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listBotFlows(scope), nextCursor: null })),
  ),

  createFlow: os.createFlow.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addBotFlow(scope, input);
      if (typeof added === 'string') throw errors[added]();
      return added;
    }),
  ),

  updateFlow: os.updateFlow.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeBotFlow(scope, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  importFlow: os.importFlow.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await importBotFlow(scope, context.secrets, input);
      if (typeof added === 'string') throw errors[added]();
      return added;
    }),
  ),

  setFlowActive: os.setFlowActive.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const switched = await switchBotFlow(scope, input);
      if (typeof switched === 'string') throw errors[switched]();
      return switched;
    }),
  ),

  orderFlows: os.orderFlows.handler(({ input, context }) =>
    context.change(async (scope) => ({
      items: await orderBotFlows(scope, input.botFlowIds),
      nextCursor: null,
    })),
  ),

  deleteFlow: os.deleteFlow.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refused = await removeBotFlow(scope, input.botFlowId);
      if (refused) throw errors[refused]();
      return {};
    }),
  ),

  listConversations: os.listConversations.handler(({ input, context }) =>
    context.read((scope) => listBotConversations(scope, input)),
  ),

  getConversation: os.getConversation.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findBotPart(scope, input.conversationId));
    if (typeof found === 'string') throw errors[found]();
    return found;
  }),

  listAnswers: os.listAnswers.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => listBotAnswers(scope, input));
    if (typeof found === 'string') throw errors[found]();
    return found;
  }),

  getAnalytics: os.getAnalytics.handler(({ input, context }) =>
    context.read('counting', (scope) => readBotAnalytics(scope, input.days)),
  ),

  setStatus: os.setStatus.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await setBotStatus(scope, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),
});
