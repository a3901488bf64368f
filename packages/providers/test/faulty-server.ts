import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedRequest = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

export type FaultyServer = {
  origin: string;
  received: ReceivedRequest[];
  answerWith(answer: Answer): void;
  close(): Promise<void>;
};

/** A real HTTP server on loopback whose answer each test chooses. */
export async function startFaultyServer(): Promise<FaultyServer> {
  const received: ReceivedRequest[] = [];
  let answer: Answer = (_request, response) => response.end('{}');
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('error', () => response.destroy());
    message.on('end', () => {
      const request = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks),
      };
      received.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answerWith(next) {
      answer = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers with JSON. */
export function json(status: number, body: unknown): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

/** Answers with the Graph error envelope. */
export function graphError(status: number, code: number, more: Record<string, unknown> = {}): Answer {
  return json(status, {
    error: { message: `(#${code}) Title`, type: 'OAuthException', code, fbtrace_id: 'Atrace', ...more },
  });
}
