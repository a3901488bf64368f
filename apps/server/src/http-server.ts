import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorTable } from '@app/contracts/errors';

export type HttpPatience = {
  /** For the whole head of a request, in milliseconds. */
  headMs: number;
  /** How long a body may stand still, in milliseconds. Each byte earns time again, never more than this. */
  bodyMs: number;
  /** What a body must bring on average. */
  bytesPerSecond: number;
  /** How often it is looked at. */
  everyMs: number;
};

export type HttpServerOptions = {
  /** What every answer says, whoever gives it. */
  headers?: Record<string, string>;
  patience?: HttpPatience;
};

const PATIENCE: HttpPatience = { headMs: 20_000, bodyMs: 60_000, bytesPerSecond: 1024, everyMs: 1_000 };

/**
 * How long a connection on which nothing is asked stays open. Longer than the minute for which proxies keep theirs: whoever asks at the moment in
 * which we close one is left without an answer.
 */
const IDLE_MS = 75_000;

type Arrival = { incoming: IncomingMessage; outgoing: ServerResponse; seen: number; patienceMs: number };

/**
 * A server on which a request takes as long as it needs, while it comes on: Node.js itself would end every upload after five
 * minutes, and wait those five minutes for each sender who says nothing.
 */
export function createHttpServer(
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown,
  { headers = {}, patience = PATIENCE }: HttpServerOptions = {},
): Server {
  const arriving = new Set<Arrival>();
  const server = createServer(
    {
      ...{ headersTimeout: patience.headMs, requestTimeout: 0, keepAliveTimeout: IDLE_MS },
      connectionsCheckingInterval: patience.everyMs,
    },
    (incoming, outgoing) => {
      if (hasBody(incoming))
        arriving.add({
          incoming,
          outgoing,
          seen: incoming.socket.bytesRead,
          patienceMs: patience.bodyMs,
        });
      for (const name in headers) outgoing.setHeader(name, headers[name] ?? '');
      void listener(incoming, outgoing);
    },
  );
  const timer = setInterval(() => {
    for (const arrival of arriving) {
      if (arrival.incoming.complete || arrival.incoming.destroyed) arriving.delete(arrival);
      else if (!isInTime(arrival, patience)) {
        arriving.delete(arrival);
        endSlowRequest(arrival);
      }
    }
  }, patience.everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return server;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isInTime(arrival: Arrival, { bodyMs, bytesPerSecond, everyMs }: HttpPatience): boolean {
  const { incoming, seen } = arrival;
  const { bytesRead } = incoming.socket;
  arrival.seen = bytesRead;
  // Bytes lie ready: it is we who are slow, and the network holds the sender back meanwhile.
  if (incoming.readableLength > 0) return true;
  const earned = ((bytesRead - seen) * 1000) / bytesPerSecond;
  arrival.patienceMs = Math.min(bodyMs, arrival.patienceMs - everyMs + earned);
  return arrival.patienceMs > 0;
}

/** Whoever reads the body hears that it broke off. */
function endSlowRequest({ incoming, outgoing }: Arrival): void {
  const { socket } = incoming;
  if (!outgoing.headersSent) {
    const { status, message } = errorTable.body_too_slow;
    const body = JSON.stringify({ error: { code: 'body_too_slow', message } });
    socket.write(
      `HTTP/1.1 ${status} Request Timeout\r\nconnection: close\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
