import type { Readable } from 'node:stream';
import { type Dispatcher, errors, Pool } from 'undici';
import type { CancelSignal, NotSentReason, UnknownReason } from '@app/domain/messaging/channel-port';
import { type OpenCall, OpenCalls } from './open-calls.ts';

export type HttpTimeouts = {
  /** Opening a connection, TLS included. */
  connectMs: number;
  /** From the request sent to the complete response headers. */
  headersMs: number;
  /** Between two pieces of a response body. */
  bodyMs: number;
  /** Everything from the call to the answer, waiting for a free connection included. */
  totalMs: number;
};

export const defaultHttpTimeouts: HttpTimeouts = {
  connectMs: 5_000,
  headersMs: 20_000,
  bodyMs: 10_000,
  totalMs: 40_000,
};

export type HttpTransportOptions = {
  origin: string;
  /** Replaces the pool that is otherwise made here; the caller closes it. */
  dispatcher?: Dispatcher;
  connections?: number;
  /** Calls that may wait for a connection before new ones are turned away. */
  maxWaiting?: number;
  timeouts?: Partial<HttpTimeouts>;
};

export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: readonly string[];
  body?: string | Uint8Array | Readable | undefined;
  maxResponseBytes?: number;
  totalMs?: number;
  signal?: CancelSignal | undefined;
  onBodySent?: (bytes: number) => void;
};

export type HttpExchange =
  | { ok: true; status: number; body: Buffer }
  | { ok: false; phase: 'before_send'; reason: NotSentReason }
  | { ok: false; phase: 'after_send'; reason: UnknownReason; status?: number };

export type HttpTransport = {
  exchange(request: HttpRequest): Promise<HttpExchange>;
  close(): Promise<void>;
};

const defaultMaxResponseBytes = 1024 * 1024;

/** A call that is late is noticed after a twentieth of the shortest patience, at most half a second. */
function lookEveryMs({ headersMs, bodyMs, totalMs }: HttpTimeouts): number {
  return Math.min(500, Math.max(5, Math.min(headersMs, bodyMs, totalMs) / 20));
}

/**
 * HTTP to one origin that always says whether any byte of the request can have left this machine.
 * `exchange` never throws and never repeats a request.
 */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const timeouts = { ...defaultHttpTimeouts, ...options.timeouts };
  const connections = options.connections ?? 64;
  const maxOpen = connections + (options.maxWaiting ?? connections * 16);
  const own =
    options.dispatcher === undefined
      ? new Pool(options.origin, {
          connections,
          pipelining: 1,
          allowH2: false,
          connectTimeout: timeouts.connectMs,
        })
      : undefined;
  const dispatcher = options.dispatcher ?? (own as Pool); // one of the two is always set
  const open = new OpenCalls(lookEveryMs(timeouts));

  return {
    exchange(request) {
      if (request.signal?.aborted === true) return Promise.resolve(notSent('cancelled'));
      if (open.count >= maxOpen) return Promise.resolve(notSent('pool_exhausted'));
      return new Promise((resolve) => {
        const handler = new ExchangeHandler(request, timeouts, open, resolve);
        try {
          dispatcher.dispatch(
            {
              origin: options.origin,
              path: request.path,
              method: request.method,
              headers: request.headers as string[], // undici only reads them
              body: request.body ?? null,
              // Late calls are ended here, see OpenCalls.
              headersTimeout: 0,
              bodyTimeout: 0,
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

class ExchangeHandler implements Dispatcher.DispatchHandler, OpenCall {
  readonly #request: HttpRequest;
  readonly #timeouts: HttpTimeouts;
  readonly #open: OpenCalls;
  readonly #resolve: (exchange: HttpExchange) => void;
  readonly #onAbort: (() => void) | undefined;
  readonly #endAt: number;
  /** Until when the next sign of the platform has to come. */
  #signBy = Infinity;
  #controller: Dispatcher.DispatchController | undefined;
  #started = false;
  #settled = false;
  #status = 0;
  #size = 0;
  #firstChunk: Buffer | undefined;
  #moreChunks: Buffer[] | undefined;

  constructor(
    request: HttpRequest,
    timeouts: HttpTimeouts,
    open: OpenCalls,
    resolve: (exchange: HttpExchange) => void,
  ) {
    this.#request = request;
    this.#timeouts = timeouts;
    this.#open = open;
    this.#resolve = resolve;
    this.#endAt = performance.now() + (request.totalMs ?? timeouts.totalMs);
    open.add(this);
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
    const now = performance.now();
    if (now >= this.#endAt) {
      this.#finish(notSent('pool_exhausted'));
      controller.abort(new Error('No connection was free in time'));
      return;
    }
    this.#controller = controller;
    this.#started = true;
    this.#signBy = now + this.#timeouts.headersMs;
  }

  onBodySent(chunk: Buffer): void {
    if (this.#status === 0) this.#signBy = performance.now() + this.#timeouts.headersMs;
    this.#request.onBodySent?.(chunk.length);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode < 200) return;
    this.#status = statusCode;
    this.#signBy = performance.now() + this.#timeouts.bodyMs;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > (this.#request.maxResponseBytes ?? defaultMaxResponseBytes))
      this.#giveUp('connect_failed', 'response_too_large');
    else if (this.#firstChunk === undefined) this.#firstChunk = chunk;
    else {
      this.#signBy = performance.now() + this.#timeouts.bodyMs;
      (this.#moreChunks ??= []).push(chunk);
    }
  }

  onResponseEnd(): void {
    const first = this.#firstChunk ?? Buffer.alloc(0);
    const body = this.#moreChunks === undefined ? first : Buffer.concat([first, ...this.#moreChunks]);
    this.#finish({ ok: true, status: this.#status, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  endIfLate(now: number): void {
    if (now >= this.#endAt || now >= this.#signBy) this.#giveUp('pool_exhausted', 'response_timeout');
  }

  fail(error: unknown): void {
    if (this.#started) this.#finish(this.#unknown(unknownReason(error)));
    else this.#finish(notSent(notSentReason(error)));
  }

  #giveUp(before: NotSentReason, after: UnknownReason): void {
    this.#finish(this.#started ? this.#unknown(after) : notSent(before));
    this.#controller?.abort(new Error('The request was given up'));
  }

  #unknown(reason: UnknownReason): HttpExchange {
    const failure = { ok: false, phase: 'after_send', reason } as const;
    return this.#status === 0 ? failure : { ...failure, status: this.#status };
  }

  #finish(exchange: HttpExchange): void {
    if (this.#settled) return;
    this.#settled = true;
    if (this.#onAbort !== undefined) this.#request.signal?.removeEventListener('abort', this.#onAbort);
    this.#open.delete(this);
    this.#resolve(exchange);
  }
}

function notSent(reason: NotSentReason): HttpExchange {
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
