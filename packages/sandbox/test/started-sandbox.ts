import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectOf, objectsOf, type JsonObject } from '../src/core/json.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/sandbox.ts';

export interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
  /** The value at a path such as `messages.0.id`. */
  at(path: string): unknown;
}

export interface StartedSandbox {
  sandbox: Sandbox;
  url: string;
  graph(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

export const account = '100000000000001';
export const number = '200000000000001';
export const app = '300000000000001';

/** A sandbox on a free port, quick by default. */
export async function startSandbox(options: SandboxOptions = {}): Promise<StartedSandbox> {
  const sandbox = createSandbox({
    ...options,
    behaviour: {
      latencyMs: 0,
      statusDelayMs: 10,
      reviewDelayMs: 5,
      webhookRetryBaseMs: 20,
      ...options.behaviour,
    },
  });
  const { url } = await sandbox.start({ port: 0 });
  const call = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // not JSON: the text itself
    }
    return {
      status: response.status,
      body: parsed,
      headers: response.headers,
      at: (path) => valueAt(parsed, path),
    };
  };
  return {
    sandbox,
    url,
    graph: (method, path, body, headers = {}) =>
      call(method, `/graph/v26.0/${path}`, body, {
        authorization: 'Bearer sandbox-access-token',
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
    control: (method, path, body) => call(method, `/_sandbox/${path}`, body, {}),
    close: () => sandbox.close(),
  };
}

export interface Received {
  raw: Buffer;
  signature: string;
  at(path: string): unknown;
}

export interface Receiver {
  url: string;
  received: Received[];
  handshakes: URLSearchParams[];
  /** HTTP status for the next webhooks; 200 by default. */
  answerWith: (position: number) => number;
  statuses(): JsonObject[];
  waitFor(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** What stands at the callback address. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const handshakes: URLSearchParams[] = [];
  let position = 0;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        const query = new URL(request.url ?? '', 'http://receiver').searchParams;
        handshakes.push(query);
        const isRight = query.get('hub.verify_token') === 'sandbox-verify-token';
        response.writeHead(isRight ? 200 : 403).end(isRight ? query.get('hub.challenge') : '');
        return;
      }
      const raw = Buffer.concat(chunks);
      const status = receiver.answerWith(position++);
      if (status === 200) {
        const payload: unknown = JSON.parse(raw.toString());
        received.push({
          raw,
          signature: String(request.headers['x-hub-signature-256'] ?? ''),
          at: (path) => valueAt(payload, path),
        });
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    handshakes,
    answerWith: () => 200,
    statuses: () => received.flatMap(({ at }) => objectsOf(at('entry.0.changes.0.value.statuses'))),
    waitFor,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + 300_000;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error('The awaited condition did not come true');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function textTo(to: string, body = 'Hello'): JsonObject {
  return { messaging_product: 'whatsapp', recipient_type: 'individual', to, type: 'text', text: { body } };
}

export function templateTo(
  to: string,
  name = 'hello_world',
  components: JsonObject[] = [],
  language = 'en_US',
): JsonObject {
  return {
    ...{ messaging_product: 'whatsapp', recipient_type: 'individual', to, type: 'template' },
    template: { name, language: { code: language }, components },
    biz_opaque_callback_data: `tag:${to}`,
  };
}

export const offer = {
  name: 'spring_offer',
  language: 'en_US',
  category: 'MARKETING',
  components: [
    { type: 'BODY', text: 'Hello {{1}}, our sale starts today.', example: { body_text: [['Ann']] } },
  ],
};

export const offerParameters = [{ type: 'body', parameters: [{ type: 'text', text: 'Ann' }] }];

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    return Array.isArray(inner) ? inner[Number(key)] : objectOf(inner)[key];
  }, value);
}
