import type { CancelSignal } from '@app/domain/messaging/channel-port';
import { ProviderRejected, ProviderUnreachable } from '../provider-errors.ts';
import { isRetryableCode } from './error-table.ts';
import { readGraphError } from './graph-error.ts';
import type { HttpRequest, HttpTransport } from '../calls/http-transport.ts';
import { isRecord, parseJson } from './json-reading.ts';

export type GraphQuery = Readonly<Record<string, string | number | undefined>>;

export type GraphCallOptions = {
  query?: GraphQuery;
  json?: unknown;
  /** Replaces the client's own bearer token. */
  authorization?: string;
  headers?: readonly string[];
  body?: HttpRequest['body'];
  onBodySent?: (bytes: number) => void;
  totalMs?: number;
  signal?: CancelSignal | undefined;
};

export type GraphAnswer = Readonly<Record<string, unknown>>;

/** Calls below the versioned base path. Throws ProviderRejected or ProviderUnreachable. */
export type GraphCalls = {
  call(method: HttpRequest['method'], path: string, options?: GraphCallOptions): Promise<GraphAnswer>;
};

const managementResponseBytes = 8 * 1024 * 1024;

export function createGraphCalls(
  transport: HttpTransport,
  basePath: string,
  accessToken: string,
): GraphCalls {
  return {
    async call(method, path, options = {}) {
      const headers = [
        'authorization',
        options.authorization ?? `Bearer ${accessToken}`,
        ...(options.headers ?? []),
      ];
      if (options.json !== undefined) headers.push('content-type', 'application/json');
      const body = options.json === undefined ? options.body : JSON.stringify(options.json);
      const exchange = await transport.exchange({
        method,
        path: `${basePath}/${path}${writeQuery(options.query)}`,
        headers,
        maxResponseBytes: managementResponseBytes,
        signal: options.signal,
        ...(body !== undefined && { body }),
        ...(options.onBodySent !== undefined && { onBodySent: options.onBodySent }),
        ...(options.totalMs !== undefined && { totalMs: options.totalMs }),
      });
      if (!exchange.ok) throw new ProviderUnreachable(exchange.phase, exchange.reason);
      return readAnswer(exchange.status, exchange.body);
    },
  };
}

/** A path segment from an id; ids come from people and from the vendor, so they are never trusted to be plain. */
export function pathSegment(id: string): string {
  return encodeURIComponent(id);
}

function readAnswer(status: number, body: Buffer): GraphAnswer {
  const answer = parseJson(body.toString('utf8'));
  const error = readGraphError(answer, status);
  if (error !== undefined) {
    const { transient, ...rest } = error;
    throw new ProviderRejected(rest, status, transient || isRetryableCode(error.code));
  }
  if (status >= 200 && status < 300) {
    if (isRecord(answer)) return answer;
    throw new ProviderUnreachable('after_send', 'response_unreadable');
  }
  const plain = { code: `http_${status}`, title: `HTTP status ${status}`, httpStatus: status };
  throw new ProviderRejected(plain, status, status === 429 || status >= 500);
}

function writeQuery(query: GraphQuery | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) pairs.set(name, String(value));
  }
  return pairs.size === 0 ? '' : `?${pairs}`;
}
