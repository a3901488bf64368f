import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../core/node-server.ts';
import { graphHeaders } from '../graph-headers.ts';
import type { Platform } from '../platform.ts';
import { newTraceId, tooLarge } from '../errors.ts';
import { defaultVersion, isLiveVersion } from '../graph-paths.ts';
import { sendMessage, type SendReply, type SendRequest } from './send-message.ts';

const SEND_PATH = /^\/graph\/(?:(v\d+\.\d+)\/)?(\d+)\/(messages|marketing_messages)$/;
const LOGGED_CHARACTERS = 4000;
const LARGEST_MESSAGE = 5_000_000;
/** Who hears of the refusal ends the call sooner. */
const LINGER_MS = 2_000;

/**
 * Answers the usual send call (JSON, nothing in the query) straight on Node's request, as nothing else is called
 * thousands of times a second. Every other form of the call takes the common way.
 */
export function handleSend(platform: Platform, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'POST') return false;
  const match = SEND_PATH.exec(request.url ?? '');
  if (!match || !isJson(request) || !isLiveVersion(match[1], platform.behaviour)) return false;
  const version = match[1] ?? defaultVersion(platform.behaviour);
  const startedAt = performance.now();
  readBody(request, LARGEST_MESSAGE, (body) => {
    if (body === undefined) return refuseSize(request, response, version);
    const forced = request.headers['x-sandbox-force-error'] ?? request.headers['x-emulator-force-error'];
    const reply = sendMessage(platform, {
      numberId: match[2] ?? '',
      authorization: request.headers.authorization,
      body,
      forcedError: typeof forced === 'string' ? forced : undefined,
      endpoint: match[3] as SendRequest['endpoint'], // the pattern allows only these
    });
    const finish = () => {
      write(response, request, version, reply);
      logCall(platform, request.url ?? '', body, reply, performance.now() - startedAt);
    };
    platform.answers.hold(latencyOf(platform), finish);
  });
  return true;
}

function isJson(request: IncomingMessage): boolean {
  const { authorization } = request.headers;
  const type = request.headers['content-type'];
  return authorization !== undefined && (type === undefined || type.startsWith('application/json'));
}

/** What still comes is read and thrown away for a moment: a connection that is closed over unread bytes is reset, and the answer is lost. */
function refuseSize(request: IncomingMessage, response: ServerResponse, version: string): void {
  const traceId = newTraceId();
  response.writeHead(413, graphHeaders(version, traceId));
  response.end(JSON.stringify(tooLarge(LARGEST_MESSAGE).toBody(traceId)));
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
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
