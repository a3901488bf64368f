import { aiProblems, aiProviders } from '@app/domain/chatbot/model/ai-models';
import { z } from 'zod';
import { endpoint, instant, versioned } from '../endpoint.ts';

const version = z.number().int().min(0).max(2_000_000_000);
const model = z.string().trim().min(1).max(200);
/** In millionths of the currency for a million tokens. */
const price = z.number().int().min(0).max(1_000_000_000_000).nullable();

const opens = {
  provider: z.enum(aiProviders),
  /** Of `compatible` alone, such as `https://models.example.com/v1`. */
  baseUrl: z.string().trim().max(500).nullable().default(null),
  /** Left out: the stored one stays, unless the provider or the address is another one. Empty: none. */
  key: z.string().trim().max(1_000).optional(),
};

export const aiConnection = z.object({
  provider: z.enum(aiProviders),
  baseUrl: z.string().nullable(),
  /** The end of the key; null without one. The key itself is never answered. */
  keyHint: z.string().nullable(),
  model: z.string(),
  /** Null: knowledge is searched by words alone. */
  embeddingModel: z.string().nullable(),
  priceIn: price,
  priceOut: price,
  isEnabled: z.boolean(),
  /** What the last call ended with; null where it went well. */
  problem: z.enum(aiProblems).nullable(),
  checkedAt: instant.nullable(),
  version: z.number(),
});

const state = z.object({
  /** Null without one: the bot answers by its rules. */
  connection: aiConnection.nullable(),
  /** Within 24 hours. `cost` in millionths of the currency; null where no prices are set. */
  usage: z.object({ calls: z.number(), tokens: z.number(), cost: z.number().nullable() }),
  /** Values that open the stand-in of the sandbox; null in an installation without a sandbox. */
  sandbox: z
    .object({ baseUrl: z.string(), key: z.string(), model: z.string(), embeddingModel: z.string() })
    .nullable(),
});

export const botAiContract = {
  get: endpoint({
    method: 'GET',
    path: '/bot/ai',
    access: 'messages:read',
    forKeys: true,
    summary: 'The connection to an AI model, without its key, and what it was used for within 24 hours',
    input: z.object({}),
    output: state,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/bot/ai',
    access: 'settings:manage',
    repeat: versioned,
    summary: 'Connects an AI model, or changes the connection; `version` is 0 where there is none',
    input: z.strictObject({
      ...opens,
      model,
      embeddingModel: model.nullable().default(null),
      priceIn: price.default(null),
      priceOut: price.default(null),
      isEnabled: z.boolean().default(true),
      version,
    }),
    output: state,
    errors: ['bot_ai_changed', 'bot_ai_key_needed', 'bot_ai_address_refused'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/bot/ai/test',
    access: 'settings:manage',
    repeat: { harmless: 'It asks the provider and changes nothing here.' },
    summary:
      'Asks the provider for its models, and the model for one answer. Without a model only for the models',
    input: z.strictObject({ ...opens, model: model.nullable().default(null) }),
    output: z.object({
      /** Null where all went well. */
      problem: z.enum(aiProblems).nullable(),
      models: z.array(z.string()),
      /** What the model said; null where none was asked. */
      answer: z.string().nullable(),
      durationMs: z.number(),
    }),
    errors: ['bot_ai_key_needed', 'bot_ai_address_refused'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/bot/ai/disconnect',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Deletes the connection with its key. The bot answers by its rules',
    input: z.strictObject({}),
    output: z.object({}),
    errors: ['bot_ai_not_connected'],
  }),
};
