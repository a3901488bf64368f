import type {
  AiConnection,
  AiModels,
  AiProblem,
  AiReply,
  AiRequest,
  AiUsage,
  ModelAnswer,
} from '@app/domain/chatbot/model/ai-models';
import type { OutgoingCalls } from '@app/domain/network/outgoing-calls';
import type { LanguageModelUsage } from 'ai';
import { createGuardedFetch, ModelAway } from './guarded-fetch.ts';
import { listModels } from './list-models.ts';
import { openEmbeddings, openModel } from './open-model.ts';
import { answerSchema, FORM_IN_WORDS, readAnswer, readAnswerObject } from './read-answer.ts';

/** Vectors of a few dozen texts are larger than an answer. */
const LARGEST_VECTORS = 8 * 1024 * 1024;

/** Models of all providers, through one library. It is loaded with the first call: it takes 30 MB that a workspace without a model never needs. */
export function createAiModels({ calls }: { calls: OutgoingCalls }): AiModels {
  return {
    answer: (connection, request) => timed(() => answer(calls, connection, request)),
    write: (connection, request) =>
      timed(async () => {
        const { generateText, model } = await prepare(calls, connection, request, { isStructured: false });
        const { text, usage } = await generateText({ model, ...promptOf(request) });
        if (text.trim() === '') throw new ModelAway('invalid_answer');
        return { value: text.trim(), usage: usageOf(usage) };
      }),
    listModels: (connection) => timed(() => listModels(calls, connection)),
    embed: (connection, { model: name, texts, signal }) =>
      timed(async () => {
        const { embedMany } = await loadLibrary();
        const { workspaceId } = connection;
        const fetch = createGuardedFetch(calls, { workspaceId, largestResponse: LARGEST_VECTORS, signal });
        const model = await openEmbeddings(connection, name, fetch);
        if (!model) throw new ModelAway('model_missing');
        const { embeddings, usage } = await embedMany({ model, values: [...texts], maxRetries: 0 });
        if (embeddings.length !== texts.length) throw new ModelAway('invalid_answer');
        return { value: embeddings, usage: { inputTokens: usage.tokens || 0, outputTokens: 0 } };
      }),
  };
}

/** An endpoint that knows no structured answers refuses the form (400): it is asked once more, with the form in words. */
async function answer(calls: OutgoingCalls, connection: AiConnection, request: AiRequest) {
  try {
    return await answerWith(calls, connection, request, true);
  } catch (error) {
    const isFormUnknown = connection.provider === 'compatible' && statusOf(error) === 400;
    if (!isFormUnknown) throw error;
    return answerWith(calls, connection, request, false);
  }
}

async function answerWith(
  calls: OutgoingCalls,
  connection: AiConnection,
  request: AiRequest,
  isStructured: boolean,
): Promise<{ value: ModelAnswer; usage: AiUsage }> {
  const { generateText, Output, jsonSchema, NoObjectGeneratedError, model } = await prepare(
    ...([calls, connection, request, { isStructured }] as const),
  );
  const inWords = connection.provider === 'compatible';
  const prompt = promptOf(
    inWords ? { ...request, instructions: `${request.instructions}\n\n${FORM_IN_WORDS}` } : request,
  );
  if (!isStructured) {
    const { text, usage } = await generateText({ model, ...prompt });
    return { value: checked(readAnswer(text)), usage: usageOf(usage) };
  }
  try {
    const schema = jsonSchema<ModelAnswer>(answerSchema as Parameters<typeof jsonSchema>[0]);
    const { output, usage } = await generateText({ model, output: Output.object({ schema }), ...prompt });
    return { value: checked(readAnswerObject(output)), usage: usageOf(usage) };
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    return { value: checked(readAnswer(error.text ?? '')), usage: usageOf(error.usage) };
  }
}

function checked(value: ModelAnswer | null): ModelAnswer {
  if (!value) throw new ModelAway('invalid_answer');
  return value;
}

async function prepare(
  calls: OutgoingCalls,
  connection: AiConnection,
  { model, signal }: AiRequest,
  options: { isStructured: boolean },
) {
  const library = await loadLibrary();
  const fetch = createGuardedFetch(calls, { workspaceId: connection.workspaceId, signal });
  return { ...library, model: await openModel(connection, model, fetch, options) };
}

async function loadLibrary() {
  // Its warnings would go to the console, past the log.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}

/** The port tries again by itself. */
function promptOf({ instructions, messages, mostTokens }: AiRequest) {
  return {
    ...{ instructions, maxOutputTokens: mostTokens, maxRetries: 0 },
    messages: messages.map(({ role, text }) => ({ role, content: text })),
  };
}

function usageOf(usage: LanguageModelUsage | undefined): AiUsage {
  return { inputTokens: usage?.inputTokens ?? 0, outputTokens: usage?.outputTokens ?? 0 };
}

async function timed<Value>(ask: () => Promise<{ value: Value; usage: AiUsage }>): Promise<AiReply<Value>> {
  const begun = performance.now();
  const durationMs = () => Math.round(performance.now() - begun);
  try {
    const { value, usage } = await ask();
    return { ok: true, value, usage, durationMs: durationMs() };
  } catch (error) {
    return { ok: false, problem: problemOf(error), durationMs: durationMs() };
  }
}

/** The message of such an error quotes what the provider said, keys too: only the code leaves here. */
function problemOf(error: unknown): AiProblem {
  if (error instanceof ModelAway) return error.problem;
  if (error instanceof Error && error.cause instanceof ModelAway) return error.cause.problem;
  const status = statusOf(error);
  if (status === null) return 'invalid_answer';
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 404) return 'model_missing';
  if (status === 402 || (status === 429 && bodyOf(error).includes('insufficient_quota'))) return 'quota';
  if (status === 429) return 'rate_limited';
  if (status === 400 || status === 422) {
    if (/api[ _]key/i.test(bodyOf(error))) return 'key_refused';
    return /model/i.test(bodyOf(error)) && /not (exist|found)/i.test(bodyOf(error))
      ? 'model_missing'
      : 'request_refused';
  }
  return status >= 200 && status < 300 ? 'invalid_answer' : 'provider_error';
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  return typeof error.statusCode === 'number' ? error.statusCode : null;
}

function bodyOf(error: unknown): string {
  const body = (error as { responseBody?: unknown }).responseBody;
  return typeof body === 'string' ? body : '';
}
