import type { Readable } from 'node:stream';
import { type Dispatcher, errors, Pool } from 'undici';
import type { CancelSignal, NotSentReason, UnknownReason } from '@app/domain/messaging/channel-port';

export type GraphTimeouts = {
  /** Opening a connection, TLS included. */
  connectMs: number;
  /** From the request sent to the complete response headers. */
  headersMs: number;
  /** Between two pieces of a response body. */
  bodyMs: number;
  /** Everything from the call to the answer, waiting for a free connection included. */
  totalMs: number;
};

export const defaultGraphTimeouts: GraphTimeouts = {
  connectMs: 5_000,
  headersMs: 20_000,
  bodyMs: 10_000,
  totalMs: 40_000,
};

export type GraphTransportOptions = {
  origin: string;
  /** Replaces the pool that is otherwise made here; the caller closes it. */
  dispatcher?: Dispatcher;
  connections?: number;
  /** Calls that may wait for a connection before new ones are turned away. */
  maxWaiting?: number;
  timeouts?: Partial<GraphTimeouts>;
};

export type GraphRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: readonly string[];
  body?: string | Uint8Array | Readable;
  maxResponseBytes?: number;
  totalMs?: number;
  signal?: CancelSignal | undefined;
  onBodySent?: (bytes: number) => void;
};

export type GraphExchange =
  | { ok: true; status: number; body: Buffer }
  | { ok: false; phase: 'before_send'; reason: NotSentReason }
  | { ok: false; phase: 'after_send'; reason: UnknownReason; status?: number };

export type GraphTransport = {
  exchange(request: GraphRequest): Promise<GraphExchange>;
  close(): Promise<void>;
};

const defaultMaxResponseBytes = 1024 * 1024;

/**
 * HTTP to one origin that always says whether any byte of the request can have left this machine.
 * `exchange` never throws and never repeats a request.
 */
export function createGraphTransport(options: GraphTransportOptions): GraphTransport {
  const timeouts = { ...defaultGraphTimeouts, ...options.timeouts };
  const connections = options.connections ?? 64;
  const maxOpen = connections + (options.maxWaiting ?? connections * 16);
  const own =
    options.dispatcher === undefined
      ? new Pool(options.origin, {
          connections,
          pipelining: 1,
          allowH2: false,
          connectTimeout: timeouts.connectMs,
          headersTimeout: timeouts.headersMs,
          bodyTimeout: timeouts.bodyMs,
        })
      : undefined;
  const dispatcher = options.dispatcher ?? (own as Pool); // one of the two is always set
  let open = 0;

  return {
    exchange(request) {
      if (request.signal?.aborted === true) return Promise.resolve(notSent('cancelled'));
      if (open >= maxOpen) return Promise.resolve(notSent('pool_exhausted'));
      open += 1;
      return new Promise((resolve) => {
        const handler = new ExchangeHandler(request, request.totalMs ?? timeouts.totalMs, (exchange) => {
          open -= 1;
          resolve(exchange);
        });
        try {
          dispatcher.dispatch(
            {
              origin: options.origin,
              path: request.path,
              method: request.method,
              headers: request.headers as string[], // undici only reads them
              body: request.body ?? null,
              headersTimeout: timeouts.headersMs,
              bodyTimeout: timeouts.bodyMs,
            },
            handler,
          );
        } catch (error) {
          handler.fail(error);
        }
      });
    },
    async close() {
      await own?.close();
    },
  };
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #request: GraphRequest;
  readonly #settle: (exchange: GraphExchange) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: (() => void) | undefined;
  readonly #maxBytes: number;
  #controller: Dispatcher.DispatchController | undefined;
  #started = false;
  #settled = false;
  #status = 0;
  #size = 0;
  #chunks: Buffer[] = [];

  constructor(request: GraphRequest, totalMs: number, settle: (exchange: GraphExchange) => void) {
    this.#request = request;
    this.#settle = settle;
    this.#maxBytes = request.maxResponseBytes ?? defaultMaxResponseBytes;
    this.#timer = setTimeout(() => this.#giveUp('pool_exhausted', 'response_timeout'), totalMs);
    if (request.signal !== undefined) {
      this.#onAbort = () => this.#giveUp('cancelled', 'cancelled');
      request.signal.addEventListener('abort', this.#onAbort);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A second start would be a repeat of a request that may have arrived: never allowed, whatever the pool thinks of it.
    if (this.#settled || this.#started) {
      controller.abort(new Error('The request was given up'));
      return;
    }
    this.#controller = controller;
    this.#started = true;
  }

  onBodySent(chunk: Buffer): void {
    this.#request.onBodySent?.(chunk.length);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode >= 200) this.#status = statusCode;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#giveUp('connect_failed', 'response_too_large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#finish({ ok: true, status: this.#status, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    if (this.#started) this.#finish(this.#unknown(unknownReason(error)));
    else this.#finish(notSent(notSentReason(error)));
  }

  #giveUp(before: NotSentReason, after: UnknownReason): void {
    this.#finish(this.#started ? this.#unknown(after) : notSent(before));
    this.#controller?.abort(new Error('The request was given up'));
  }

  #unknown(reason: UnknownReason): GraphExchange {
    const failure = { ok: false, phase: 'after_send', reason } as const;
    return this.#status === 0 ? failure : { ...failure, status: this.#status };
  }

  #finish(exchange: GraphExchange): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    if (this.#onAbort !== undefined) this.#request.signal?.removeEventListener('abort', this.#onAbort);
    this.#settle(exchange);
  }
}

function notSent(reason: NotSentReason): GraphExchange {
  return { ok: false, phase: 'before_send', reason };
}

function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}

function notSentReason(error: unknown): NotSentReason {
  const code = errorCode(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'dns';
  if (code === 'ECONNREFUSED') return 'connect_refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connect_timeout';
  if (code === 'UND_ERR_INVALID_ARG') return 'invalid_message';
  if (/TLS|SSL|CERT|SIGNED|EPROTO|UNABLE_TO/.test(code)) return 'tls';
  return 'connect_failed';
}

function unknownReason(error: unknown): UnknownReason {
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'response_timeout';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'response_too_large';
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return 'response_unreadable';
  }
  return 'connection_lost';
}
