import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listOf, objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { mountSwitches } from '../core/mount-switches.ts';
import { complete, countTokens, tokensOfMessages } from './complete.ts';
import { embed } from './embed.ts';
import { OPENAI_KEY, type OpenAiService } from './openai-service.ts';

/** The vendor's API under `/openai/v1`. */
export function openAiRoutes(service: OpenAiService): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    const { latencyMs, retryAfterSeconds, status } = service.behaviour;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (service.fails()) {
      if (retryAfterSeconds !== null) c.header('retry-after', String(retryAfterSeconds));
      return refuse(service, c, status || 500, 'server_error', 'The stand-in was told to fail.');
    }
    if (c.req.header('authorization') !== `Bearer ${OPENAI_KEY}`)
      return refuse(service, c, 401, 'invalid_api_key', 'Incorrect API key provided.');
    if (service.behaviour.fault === 'html')
      return c.html('<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>', 502);
    await next();
    return undefined;
  });

  app.get('/models', (c) =>
    c.json({
      object: 'list',
      data: service.behaviour.models.map((id) => ({
        id,
        object: 'model',
        created: 1_760_000_000,
        owned_by: 'sandbox',
      })),
    }),
  );

  app.post('/chat/completions', async (c) => {
    const body = await bodyOf(c);
    const model = textOf(body['model']) ?? '';
    const wrong = findWrong(service, body, model, 'messages');
    if (wrong) return refuse(service, c, wrong.status, wrong.code, wrong.message, body);
    if (body['stream'] === true)
      return refuse(service, c, 400, 'unsupported_value', 'The stand-in does not stream.', body);
    const { content, finishReason } = complete(service, body);
    const [asked, said] = [tokensOfMessages(body), countTokens(content)];
    note(service, c, { status: 200, body, answer: content });
    return c.json({
      ...{ id: service.newId('chatcmpl'), object: 'chat.completion', created: seconds(), model },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null },
          logprobs: null,
          finish_reason: finishReason,
        },
      ],
      usage: { prompt_tokens: asked, completion_tokens: said, total_tokens: asked + said },
    });
  });

  app.post('/embeddings', async (c) => {
    const body = await bodyOf(c);
    const model = textOf(body['model']) ?? '';
    const wrong = findWrong(service, body, model, 'input');
    if (wrong) return refuse(service, c, wrong.status, wrong.code, wrong.message, body);
    const texts = (Array.isArray(body['input']) ? listOf(body['input']) : [body['input']]).map(
      (text) => textOf(text) ?? '',
    );
    const size = typeof body['dimensions'] === 'number' ? body['dimensions'] : 256;
    const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
    note(service, c, { status: 200, body, answer: null });
    return c.json({
      ...{ object: 'list', model },
      data: texts.map((text, index) => ({ object: 'embedding', index, embedding: embed(text, size) })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  });
  return app;
}

/** `/_sandbox/openai/*`: switches, and what was asked. */
export function openAiControls(service: OpenAiService): Hono {
  const app = new Hono();
  mountSwitches(app, service, (changes) => ({
    ...changes,
    answers: listOf(changes['answers'] ?? service.behaviour.answers).map((answer) => {
      const { contains, text, confidence } = objectOf(answer);
      return {
        contains: textOf(contains) ?? '',
        text: textOf(text) ?? '',
        confidence: Number(confidence ?? 0.9),
      };
    }),
  }));
  app.get('/calls', (c) => c.json({ calls: [...service.calls.newestFirst()], total: service.calls.total }));
  return app;
}

type Wrong = { status: number; code: string; message: string };

function findWrong(service: OpenAiService, body: JsonObject, model: string, needed: string): Wrong | null {
  const missing = ['model', needed].find((name) => body[name] === undefined);
  if (missing !== undefined)
    return {
      status: 400,
      code: 'missing_required_parameter',
      message: `Missing required parameter: '${missing}'.`,
    };
  if (service.behaviour.models.includes(model)) return null;
  const message = `The model '${model}' does not exist or you do not have access to it.`;
  return { status: 404, code: 'model_not_found', message };
}

function refuse(
  service: OpenAiService,
  c: Context,
  status: number,
  code: string,
  message: string,
  body: JsonObject = {},
): Response {
  note(service, c, { status, body, answer: null });
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return c.json({ error: { message, type, param: null, code } }, status as ContentfulStatusCode);
}

function note(
  service: OpenAiService,
  c: Context,
  { status, body, answer }: { status: number; body: JsonObject; answer: string | null },
): void {
  const { path } = c.req;
  service.calls.add({
    ...{ at: new Date().toISOString(), path, status, model: textOf(body['model']) ?? null, body, answer },
  });
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

async function bodyOf(c: Context): Promise<JsonObject> {
  return objectOf(parseJson(await c.req.text()));
}
