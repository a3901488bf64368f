import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { isOfBrowser, KnownHosts } from './known-callers.ts';

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
export async function listen(
  parts: NodeServerParts,
  port: number,
  host: string,
  otherNames: readonly string[] = [],
): Promise<ListeningServer> {
  const answer = getRequestListener(parts.fetch, { overrideGlobalObjects: false });
  const known = new KnownHosts(host, otherNames);
  const server = createServer((request, response) => {
    if (!known.has(request)) return refuseHost(response);
    if (isOfBrowser(request) || !parts.handleFast(request, response)) void answer(request, response);
  });
  // A pool of a sender may rest between campaigns; the default of 5 s would cut it in the middle of a request.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // a listening TCP server has one
  known.listenOn(address.port);
  return {
    port: address.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () => closeServer(server),
  };
}

function refuseHost(response: ServerResponse): void {
  response.writeHead(421, { 'content-type': 'application/json', connection: 'close' });
  const message = 'The sandbox is not known by this name; SANDBOX_HOSTS can name it';
  response.end(JSON.stringify({ error: { message, type: 'OAuthException', code: 200 } }));
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The whole body as text, counted while it comes; undefined as soon as it is larger than `limit` bytes. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: string | undefined) => void,
): void {
  let chunks: Buffer[] | undefined;
  let first: Buffer | undefined;
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      chunks = first = undefined;
      request.off('data', take).off('end', finish).pause();
      done(undefined);
    } else if (!first) first = chunk;
    else (chunks ??= [first]).push(chunk);
  };
  const finish = () => done((chunks ? Buffer.concat(chunks) : first)?.toString('utf8') ?? '');
  request.on('data', take);
  request.on('end', finish);
}
