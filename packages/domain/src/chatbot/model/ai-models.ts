import type { CancelSignal } from '../../messaging/channel-port.ts';

/** Whose models can be used: three hosted providers, and any endpoint that speaks the protocol of OpenAI. */
export const aiProviders = ['openai', 'anthropic', 'google', 'compatible'] as const;
export type AiProvider = (typeof aiProviders)[number];

/** What opens a provider. `baseUrl` is for `compatible` alone; the others have an address of their own. */
export type AiConnection = {
  workspaceId: string;
  provider: AiProvider;
  baseUrl: string | null;
  /** Empty for an endpoint without a key. */
  key: string;
};

/** What a model is asked for. `agent`: a text for an agent in the inbox; `summary`: what people have to know of a handoff. */
export const aiPurposes = ['answer', 'flow', 'agent', 'summary', 'test', 'knowledge'] as const;
export type AiPurpose = (typeof aiPurposes)[number];

/** Why a call to a model brought nothing. */
export const aiProblems = [
  ...['key_refused', 'model_missing', 'quota', 'rate_limited', 'request_refused', 'provider_error'],
  ...['address_refused', 'unreachable', 'timeout', 'invalid_answer', 'too_large', 'cancelled'],
] as const;
export type AiProblem = (typeof aiProblems)[number];

export type AiUsage = { inputTokens: number; outputTokens: number };

/** `durationMs`: with all attempts. */
export type AiReply<Value> =
  | { ok: true; value: Value; usage: AiUsage; durationMs: number }
  | { ok: false; problem: AiProblem; durationMs: number };

export type AiMessage = { role: 'user' | 'assistant'; text: string };

export type AiRequest = {
  model: string;
  /** Ours: rules and sources. What customers wrote never stands here. */
  instructions: string;
  messages: readonly AiMessage[];
  /** Tokens of the answer at most. */
  mostTokens: number;
  signal?: CancelSignal | undefined;
};

/** What a model answers to a customer. Nothing of it is trusted before `checkModelAnswer` has looked at it. */
export type ModelAnswer = {
  answer: string;
  /** Between 0 and 1. */
  confidence: number;
  intent: string;
  /** Ids of the sources that it used. */
  sources: string[];
  entities: { name: string; value: string }[];
};

/** The one way to models. The library behind it is loaded with the first call. */
export type AiModels = {
  answer(connection: AiConnection, request: AiRequest): Promise<AiReply<ModelAnswer>>;
  write(connection: AiConnection, request: AiRequest): Promise<AiReply<string>>;
  /** Ids of the models that the key opens. */
  listModels(connection: AiConnection): Promise<AiReply<string[]>>;
  /** One vector for each text, in their order. */
  embed(
    connection: AiConnection,
    request: { model: string; texts: readonly string[]; signal?: CancelSignal | undefined },
  ): Promise<AiReply<number[][]>>;
};
