import { defineFact } from '../events/fact-definition.ts';
import { flag, listOf, oneOf, orNull, text } from '../events/fact-values.ts';
import { botStatuses, handoffReasons } from './bot-state.ts';
import { aiProviders } from './model/ai-models.ts';
import { answerRules } from './decide-answer.ts';

const ofFlow = {
  version: 1,
  subject: 'workflow',
  values: { name: text },
  live: [{ topic: 'chatbot' }],
  forWebhooks: false,
} as const;

/** Everybody whom a fact names goes from it when they are erased. */
const ofConversation = {
  version: 1,
  subject: 'conversation',
  lists: { kind: 'contact', values: ['contactIds'] },
  live: [
    {
      topic: 'chatbot',
      payload: ({ subject }: { subject: string | null }) => ({ conversationIds: subject ? [subject] : [] }),
    },
  ],
  forWebhooks: true,
} as const;

export const chatbotFacts = {
  'chatbot_flow.created': defineFact({ ...ofFlow, audit: { type: 'create', resource: 'automation' } }),
  'chatbot_flow.updated': defineFact({ ...ofFlow, audit: { type: 'update', resource: 'automation' } }),
  'chatbot_flow.switched': defineFact({
    ...ofFlow,
    values: { name: text, isActive: flag },
    audit: { type: 'update', resource: 'automation' },
  }),
  'chatbot_flow.deleted': defineFact({ ...ofFlow, audit: { type: 'delete', resource: 'automation' } }),
  'chatbot.flows_ordered': defineFact({ ...ofFlow, subject: 'workspace', values: {}, audit: null }),
  'chatbot_settings.updated': defineFact({
    ...ofFlow,
    ...{ subject: 'workspace', values: { isEnabled: flag } },
    audit: { type: 'update', resource: 'automation' },
  }),
  /** The connection to an AI model was made, changed or removed. */
  'chatbot_ai.changed': defineFact({
    ...ofFlow,
    ...{ subject: 'workspace', values: { isConnected: flag, provider: oneOf(aiProviders) } },
    audit: { type: 'update', resource: 'settings' },
  }),
  'chatbot_knowledge.changed': defineFact({
    ...ofFlow,
    ...{ subject: 'workspace', values: { title: text, what: oneOf(['added', 'changed', 'removed']) } },
    audit: { type: 'update', resource: 'automation' },
  }),
  /** The bot decided on an answer, which leaves after its delay. */
  'chatbot.answered': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text), rule: oneOf(answerRules) },
    audit: null,
  }),
  /** By the bot, or by a person who took over. */
  'chatbot.handed_over': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text), reason: oneOf(handoffReasons) },
    audit: null,
  }),
  /** The bot is on and answers nothing in these conversations, or only that the business is closed: they are assigned by the rules of the inbox. */
  'chatbot.left_to_people': defineFact({
    ...ofConversation,
    values: { conversationIds: listOf(text), contactIds: listOf(text) },
    live: [],
    forWebhooks: false,
    audit: null,
  }),
  /** A model wrote for people what the conversation is about that was handed over. */
  'chatbot.summarized': defineFact({
    ...ofConversation,
    ...{ values: { contactIds: listOf(text) }, forWebhooks: false, audit: null },
  }),
  'chatbot.status_changed': defineFact({
    ...ofConversation,
    values: { contactIds: listOf(text), status: oneOf(botStatuses), before: orNull(oneOf(botStatuses)) },
    audit: null,
  }),
};
