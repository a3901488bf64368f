import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

export interface NodeServerParts {
  /** Answers a request without the framework; false leaves it to `fetch`. */
  handleFast: (request: IncomingMessage, response: ServerResponse) => boolean;
  fetch: (request: Request, env: unknown) => Response | Promise<Response>;
}

export interface ListeningServer {
  port: number;
  url: string;
  close(): Promise<void>;
}

/** A Node HTTP server in front of a `fetch`-shaped app. `port` 0 takes any free one. */
export async function listen(parts: NodeServerParts, port: number, host: string): Promise<ListeningServer> {
  const answer = getRequestListener(parts.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    if (!parts.handleFast(request, response)) void answer(request, response);
  });
  // A pool of a sender may rest between campaigns; the default of 5 s would cut it in the middle of a request.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // a listening TCP server has one
  return {
    port: address.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The whole body as text; the connection is cut when it is larger than `limit` bytes. */
export function readBody(request: IncomingMessage, limit: number, done: (body: string) => void): void {
  let chunks: Buffer[] | undefined;
  let first: Buffer | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) return void request.destroy();
    if (!first) first = chunk;
    else (chunks ??= [first]).push(chunk);
  });
  request.on('end', () => done((chunks ? Buffer.concat(chunks) : first)?.toString('utf8') ?? ''));
}
