import {
  botFlowLimits,
  botResponseTypes,
  botTriggerTypes,
  findBotFlowProblem,
} from '@app/domain/chatbot/bot-flow';
import { botLimits } from '@app/domain/chatbot/bot-settings';
import { botStatuses, handoffReasons } from '@app/domain/chatbot/bot-state';
import { doubts } from '@app/domain/chatbot/model/check-model-answer';
import { aiProblems, aiPurposes } from '@app/domain/chatbot/model/ai-models';
import { answerRules } from '@app/domain/chatbot/decide-answer';
import { splitKeywords } from '@app/domain/chatbot/match-keywords';
import { z } from 'zod';
import { flowFile } from '../automation/flow-file-schema.ts';
import { botSettings, settings } from './bot-settings-values.ts';
import { conversation } from '../conversations/conversation-values.ts';
import { endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';

const version = z.number().int().min(0).max(2_000_000_000);

const response = z.strictObject({
  type: z.enum(botResponseTypes),
  /** Empty for a template. */
  content: z.string().trim().max(botFlowLimits.text),
  quickReplies: z
    .array(z.string().trim().min(1).max(botFlowLimits.quickReply))
    .max(botFlowLimits.quickReplies)
    .default([]),
  templateId: id.nullable().default(null),
  variables: z.record(z.string().max(100), z.string().max(botFlowLimits.shortText)).default({}),
  /** Milliseconds before it. */
  delay: z.number().int().min(0).max(botFlowLimits.delay).default(0),
});

const flowParts = {
  name: z.string().trim().min(1).max(botFlowLimits.name),
  description: z.string().trim().max(botFlowLimits.description).default(''),
  trigger: z.strictObject({
    type: z.enum(botTriggerTypes),
    /** Keywords with `|` between them. A greeting without a value is any greeting. */
    value: z
      .string()
      .trim()
      .max(botFlowLimits.triggerValue)
      .refine(
        (value) => splitKeywords(value).length <= botFlowLimits.keywords,
        'There are too many keywords.',
      ),
  }),
  responses: z.array(response).min(1).max(botFlowLimits.responses),
};

type Parts = z.output<z.ZodObject<typeof flowParts>>;

function checkParts(flow: Parts, check: z.core.$RefinementCtx<Parts>): void {
  const problem = findBotFlowProblem(flow);
  if (problem)
    check.addIssue({
      ...{ code: 'custom', message: problem.code, input: flow },
      path: problem.place === null ? ['trigger', 'value'] : ['responses', problem.place],
    });
  for (const [place, { type, content, quickReplies }] of flow.responses.entries()) {
    if (type === 'quick_reply' && content.length > botFlowLimits.shortText)
      check.addIssue({
        ...{ code: 'custom', input: flow, path: ['responses', place, 'content'] },
        message: `A text above buttons has at most ${botFlowLimits.shortText} characters.`,
      });
    if (new Set(quickReplies.map((label) => label.toLowerCase())).size !== quickReplies.length)
      check.addIssue({
        ...{ code: 'custom', input: flow, path: ['responses', place, 'quickReplies'] },
        message: 'Two buttons have the same words.',
      });
  }
}

export const botFlow = z.object({
  id,
  name: z.string(),
  description: z.string(),
  /** Of the draft: what begins it. */
  triggers: z.array(z.object({ type: z.enum(botTriggerTypes), value: z.string() })),
  /** The list view of the draft; null where it has steps that are more than a response. Its file is `GET /api/workflows/{id}`. */
  responses: z
    .array(
      z.object({
        type: z.enum(botResponseTypes),
        content: z.string(),
        quickReplies: z.array(z.string()),
        templateId: id.nullable(),
        variables: z.record(z.string(), z.string()),
        delay: z.number(),
      }),
    )
    .nullable(),
  /** Types of the steps of the draft, in their order. */
  steps: z.array(z.string()),
  isActive: z.boolean(),
  isPublished: z.boolean(),
  /** The draft is another one than what customers get. */
  hasChanges: z.boolean(),
  /** The lowest is asked first. */
  priority: z.number(),
  analytics: z.object({ triggered: z.number(), completed: z.number(), handoffs: z.number() }),
  createdAt: instant,
  version: z.number(),
  /** The caller imported it and it was never published. With campaigns:create they may change and delete it. */
  isOwnDraft: z.boolean(),
});

export const botAnswerModel = z.object({
  name: z.string(),
  promptVersion: z.number(),
  /** Of the model, lowered where its answer left doubts; null where it gave no answer. */
  confidence: z.number().nullable(),
  doubt: z.enum(doubts).nullable(),
  /** Why no answer came. */
  problem: z.enum([...aiProblems, 'interrupted']).nullable(),
  sources: z.array(z.object({ id: z.string(), title: z.string() })),
  entities: z.array(z.object({ name: z.string(), value: z.string() })),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** In millionths of the currency; null where no prices are set. */
  cost: z.number().nullable(),
  durationMs: z.number(),
});

export const botAnswer = z.object({
  /** Of the message that was answered. */
  messageId: id,
  contactId: id,
  rule: z.enum(answerRules),
  /** The flow that answered; null for the built-in rules. */
  flow: z.object({ id, name: z.string() }).nullable(),
  builtIn: z.string().nullable(),
  keyword: z.string().nullable(),
  intent: z.string().nullable(),
  confidence: z.number().nullable(),
  handoff: z.enum(handoffReasons).nullable(),
  /** The model that was asked, also where it was not sure enough and something else answered; null where none was. */
  model: botAnswerModel.nullable(),
  /** What the contact wrote; empty for a message without words. */
  question: z.string(),
  writtenAt: instant,
  decidedAt: instant,
  /** What was sent, in the order in which it left. */
  answers: z.array(z.object({ messageId: id, text: z.string() })),
});

export const botConversation = z.object({
  conversation,
  status: z.enum(botStatuses),
  /** Why it was handed over; null where it is not. */
  reason: z.enum(handoffReasons).nullable(),
  since: instant,
  /** What people who take over have to know; null while the bot has the conversation. */
  handoff: z
    .object({
      at: instant,
      /** The last words of the customer. */
      question: z.string(),
      intent: z.string().nullable(),
      /** What the customer named, such as an order number. */
      values: z.array(z.object({ name: z.string(), value: z.string() })),
      /** What a model wrote about the conversation; null where none did. */
      text: z.string().nullable(),
    })
    .nullable(),
});

const one = z.object({ botFlowId: id });
const ofConversation = z.object({ conversationId: id });
const readsConversations = ['messages:read', 'contacts:read'] as const;

export const exampleBotFlow = {
  name: 'Opening hours',
  description: 'Says when we are open.',
  trigger: { type: 'keyword' as const, value: 'open|opening hours|when are you open' },
  responses: [{ type: 'text' as const, content: 'We are open from Monday to Friday, 9 to 17.' }],
};

/** A complete flow file of the bot; docs/guides/flows.md explains it. */
export const exampleBotFlowFile = {
  kind: 'bot' as const,
  name: 'Order number',
  triggers: [{ id: 'begin', type: 'keyword', config: { value: 'order|where is my order' } }],
  start: 'ask',
  steps: [
    {
      ...{ id: 'ask', type: 'ask', next: {} },
      config: {
        ...{ text: 'What is your order number?', answer: 'number', save_to: 'flow', attempts: 3 },
        timeout: { amount: 1, unit: 'days' },
      },
    },
  ],
};

export const chatbotContract = {
  getSettings: endpoint({
    method: 'GET',
    path: '/bot/settings',
    access: 'messages:read',
    forKeys: true,
    summary: 'How the bot answers',
    input: z.object({}),
    output: botSettings,
  }),
  updateSettings: endpoint({
    method: 'PUT',
    path: '/bot/settings',
    access: ['campaigns:update', 'messages:create'],
    forKeys: { example: { isEnabled: true, version: 0 } },
    repeat: versioned,
    summary: 'Changes how the bot answers; what is not named stays',
    input: settings.partial().extend({ version }),
    output: botSettings,
    errors: ['bot_settings_changed'],
  }),
  listFlows: endpoint({
    method: 'GET',
    path: '/bot-flows',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'Bot flows by priority',
    input: z.object({}),
    output: page(botFlow),
  }),
  createFlow: endpoint({
    method: 'POST',
    path: '/bot-flows',
    access: 'campaigns:create',
    forKeys: { example: exampleBotFlow },
    repeat: 'keyed',
    summary: 'Creates a bot flow, which answers nobody until it is activated',
    input: z.strictObject(flowParts).superRefine(checkParts),
    output: botFlow,
    errors: ['bot_flow_limit', 'bot_flow_template_gone'],
  }),
  updateFlow: endpoint({
    method: 'PUT',
    path: '/bot-flows/{botFlowId}',
    access: 'campaigns:update',
    forKeys: true,
    repeat: versioned,
    summary: 'Replaces a bot flow; answers that have begun end as they were',
    input: z.strictObject({ ...flowParts, botFlowId: id, version }).superRefine(checkParts),
    output: botFlow,
    errors: ['bot_flow_not_found', 'bot_flow_changed', 'bot_flow_template_gone'],
  }),
  importFlow: endpoint({
    method: 'POST',
    path: '/bot-flows/import',
    access: 'campaigns:create',
    forKeys: { example: exampleBotFlowFile },
    repeat: 'keyed',
    summary:
      'Creates a bot flow of a flow file, as a draft; `/api/workflows/{id}` reads, saves and publishes it',
    input: flowFile,
    output: botFlow,
    errors: ['bot_flow_limit'],
  }),
  setFlowActive: endpoint({
    method: 'PUT',
    path: '/bot-flows/{botFlowId}/active',
    access: ['campaigns:update', 'messages:create'],
    forKeys: true,
    repeat: { harmless: 'It sets a switch to a value.' },
    summary: 'Activates or pauses a bot flow',
    input: z.strictObject({ botFlowId: id, isActive: z.boolean() }),
    output: botFlow,
    errors: ['bot_flow_not_found', 'bot_flow_not_published'],
  }),
  orderFlows: endpoint({
    method: 'PUT',
    path: '/bot-flows/order',
    access: 'campaigns:update',
    repeat: { harmless: 'It sets an order: the same one again changes nothing.' },
    summary: 'Sets the priority of bot flows; those that are not named stay behind them, in their order',
    input: z.strictObject({ botFlowIds: z.array(id).min(1).max(botLimits.flows) }),
    output: page(botFlow),
  }),
  deleteFlow: endpoint({
    method: 'DELETE',
    path: '/bot-flows/{botFlowId}',
    // Which flows the caller may delete is asked behind this.
    access: 'campaigns:read',
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Deletes a bot flow; why it answered stays with each answer. Needs campaigns:delete, or campaigns:create for an own draft that was never published',
    input: one,
    output: z.object({}),
    errors: ['bot_flow_not_found'],
  }),
  listConversations: endpoint({
    method: 'GET',
    path: '/bot/conversations',
    access: readsConversations,
    summary: 'Conversations in which the bot has a part, newest first',
    input: pageInput.extend({ status: z.enum(botStatuses).optional() }),
    output: page(botConversation),
  }),
  getConversation: endpoint({
    method: 'GET',
    path: '/bot/conversations/{conversationId}',
    access: readsConversations,
    summary: 'What the bot has to do with one conversation; null where it has no part in it',
    input: ofConversation,
    output: z.object({ bot: botConversation.omit({ conversation: true }).nullable() }),
    errors: ['conversation_not_found'],
  }),
  listAnswers: endpoint({
    method: 'GET',
    path: '/bot/answers',
    access: readsConversations,
    forKeys: true,
    summary:
      'Answers of the bot, newest first, each with the reason for it; of one conversation where it is named',
    input: pageInput.extend({ conversationId: id.optional() }),
    output: page(botAnswer),
    errors: ['conversation_not_found'],
  }),
  getAnalytics: endpoint({
    method: 'GET',
    path: '/bot/analytics',
    access: readsConversations,
    summary: 'What the bot answered within the last days, computed from the answers that are stored',
    input: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
    output: z.object({
      /** In which the bot answered. */
      conversations: z.number(),
      /** Those of them that the bot did not hand over. */
      solved: z.number(),
      answers: z.array(z.object({ rule: z.enum(answerRules), n: z.number() })),
      handoffs: z.array(z.object({ reason: z.enum(handoffReasons), n: z.number() })),
      /** How far customers came in each flow; what stands in the log of runs is kept for weeks. */
      flows: z.array(
        z.object({
          flowId: id,
          name: z.string(),
          /** Runs that began within the period. */
          started: z.number(),
          /** In the order of the flow. `text`: how it begins. `stopped`: runs that went no further. */
          steps: z.array(
            z.object({
              ...{ stepId: z.string(), type: z.string(), text: z.string() },
              ...{ reached: z.number(), stopped: z.number() },
            }),
          ),
        }),
      ),
      /** Answers of a model by its confidence, from `from` up to 0.1 more, with what became of the conversation within a day. */
      outcomes: z.array(
        z.object({
          from: z.number(),
          solved: z.number(),
          handedOver: z.number(),
          /** It was not sure enough: something else answered. */
          unused: z.number(),
        }),
      ),
      /** From the message of the customer to the first message of the bot that left; `slowestMs`: nine of ten are faster. */
      times: z.object({
        answers: z.number(),
        medianMs: z.number().nullable(),
        slowestMs: z.number().nullable(),
      }),
      /** Calls to models; `cost` in millionths of the currency, null where no prices are set. */
      costs: z.array(
        z.object({
          purpose: z.enum(aiPurposes),
          ...{ calls: z.number(), tokens: z.number(), cost: z.number().nullable() },
        }),
      ),
      /** What nothing matched, in small letters, the most frequent first: twenty at most. */
      unanswered: z.array(z.object({ question: z.string(), n: z.number(), lastAt: instant })),
    }),
  }),
  setStatus: endpoint({
    method: 'PUT',
    path: '/bot/conversations/{conversationId}/status',
    access: ['messages:update', 'contacts:read'],
    repeat: { harmless: 'It sets a status: the same one again changes nothing.' },
    summary: 'Takes a conversation over from the bot, hands it back, or says that it is over',
    input: z.strictObject({ conversationId: id, status: z.enum(botStatuses) }),
    output: z.object({ bot: botConversation.omit({ conversation: true }) }),
    errors: ['conversation_not_found'],
  }),
};
