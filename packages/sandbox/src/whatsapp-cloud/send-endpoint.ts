import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../core/node-server.ts';
import { graphHeaders } from './graph-headers.ts';
import type { Platform } from './platform.ts';
import { sendMessage, type SendReply, type SendRequest } from './send-message.ts';

const SEND_PATH = /^\/graph\/(v\d+\.\d+)\/(\d+)\/(messages|marketing_messages)(?:\?(.*))?$/;
const LOGGED_CHARACTERS = 4000;

/** Answers the send call straight on Node's request, as nothing else is called thousands of times a second. */
export function handleSend(platform: Platform, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'POST') return false;
  const match = SEND_PATH.exec(request.url ?? '');
  if (!match) return false;
  const startedAt = performance.now();
  readBody(request, 5_000_000, (body) => {
    const forced = request.headers['x-sandbox-force-error'] ?? request.headers['x-emulator-force-error'];
    const reply = sendMessage(platform, {
      numberId: match[2] ?? '',
      authorization: request.headers.authorization,
      queryToken: match[4] ? (new URLSearchParams(match[4]).get('access_token') ?? undefined) : undefined,
      body,
      forcedError: typeof forced === 'string' ? forced : undefined,
      endpoint: match[3] as SendRequest['endpoint'], // the pattern allows only these
    });
    const finish = () => {
      write(response, request, match[1] ?? '', reply);
      logCall(platform, request.url ?? '', body, reply, performance.now() - startedAt);
    };
    const delay = latencyOf(platform);
    if (delay > 0) setTimeout(finish, delay);
    else finish();
  });
  return true;
}

/** Milliseconds to wait before this answer. */
export function latencyOf(platform: Platform): number {
  const latency = platform.behaviour.latencyMs;
  if (typeof latency === 'number') return latency;
  return latency[0] + Math.random() * (latency[1] - latency[0]);
}

export function logCall(
  platform: Platform,
  path: string,
  body: string,
  reply: SendReply,
  milliseconds: number,
): void {
  platform.calls.add({
    at: Date.now(),
    method: 'POST',
    path,
    status: reply.fault ? 0 : reply.status,
    milliseconds,
    request: body.length > LOGGED_CHARACTERS ? body.slice(0, LOGGED_CHARACTERS) : body,
    response: reply.fault ? `(connection: ${reply.fault})` : reply.body,
  });
}

function write(response: ServerResponse, request: IncomingMessage, version: string, reply: SendReply): void {
  if (reply.fault === 'cut') return void request.socket.destroy();
  if (reply.fault === 'hang') return;
  response.writeHead(reply.status, {
    ...graphHeaders(version, reply.traceId),
    'content-length': Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}
