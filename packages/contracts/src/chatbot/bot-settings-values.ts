import { botLimits } from '@app/domain/chatbot/bot-settings';
import { splitKeywords, wordsOf } from '@app/domain/chatbot/match-keywords';
import { z } from 'zod';
import { id } from '../endpoint.ts';

const keyword = z
  .string()
  .trim()
  .min(1)
  .max(botLimits.handoffKeyword)
  .refine((word) => wordsOf(word).length > 0, 'A keyword has a letter or a digit.');

/** How the bot answers, as it is saved. */
export const settings = z.strictObject({
  isEnabled: z.boolean(),
  autoHandoffEnabled: z.boolean(),
  handoffKeywords: z
    .array(keyword)
    .max(botLimits.handoffKeywords)
    .transform((words) => splitKeywords(words.join(','), ',')),
  /** Milliseconds. */
  responseDelay: z.number().int().min(0).max(botLimits.responseDelay),
  fallbackMessage: z.string().trim().min(1).max(botLimits.message),
  usesBusinessHours: z.boolean(),
  /** Empty: the built-in text, in the language of the contact. */
  closedMessage: z.string().trim().max(botLimits.message),
  maxConversationLength: z.number().int().min(1).max(botLimits.maxConversationLength),
  /** Whether a customer who is handed over hears how long it usually takes, where that is known. */
  tellsWaitingTime: z.boolean(),
  /** `{{time}}` stands for the time. Empty: the built-in text, in the language of the contact. */
  waitingMessage: z
    .string()
    .trim()
    .max(botLimits.waitingMessage)
    .refine((text) => text === '' || text.includes('{{time}}'), 'The text must contain {{time}}.'),
  /** A conversation that nobody handed back goes to the bot again after so many hours; null: never. */
  resumeAfterHours: z.number().int().min(1).max(botLimits.resumeAfterHours).nullable(),
  /** In steps of 0.1: a model that is less sure does not answer. */
  confidenceThreshold: z.number().min(0).max(1).multipleOf(0.1),
  businessFacts: z.string().trim().max(botLimits.businessFacts),
  masksPersonalData: z.boolean(),
  /** Of all calls to models within 24 hours. */
  modelTokensPerDay: z.number().int().min(0).max(botLimits.modelTokensPerDay),
  /** Senders where the bot is another one; what is empty there is as everywhere. Ids that are gone are left out. */
  senders: z
    .array(
      z.strictObject({
        channelId: id,
        isEnabled: z.boolean().default(true),
        /** The flows that answer there; null: all of them. */
        botFlowIds: z.array(id).max(botLimits.flows).nullable().default(null),
        fallbackMessage: z.string().trim().max(botLimits.message).default(''),
        closedMessage: z.string().trim().max(botLimits.message).default(''),
        businessFacts: z.string().trim().max(botLimits.businessFacts).default(''),
      }),
    )
    .max(botLimits.senders)
    .refine(
      (senders) => new Set(senders.map(({ channelId }) => channelId)).size === senders.length,
      'A sender stands in it once.',
    ),
  modelAnswersPerConversation: z.number().int().min(1).max(botLimits.modelAnswersPerConversation),
});

export const botSettings = settings.extend({ version: z.number() });
