import { type Dispatcher, errors } from 'undici';
import type { CancelSignal } from '@app/domain/messaging/channel-port';
import type {
  CallMethod,
  CallResponse,
  NotSentReason,
  UnknownReason,
} from '@app/domain/network/outgoing-calls';
import { errorCode } from './error-code.ts';
import { parseJson } from './json-values.ts';

export type ExchangeRequest = {
  method: CallMethod;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  timeoutMs: number;
  largestResponse: number;
  signal: CancelSignal | undefined;
};

export type Exchange =
  | { outcome: 'answered'; response: CallResponse }
  | { outcome: 'not_sent'; reason: NotSentReason }
  | { outcome: 'unknown'; reason: UnknownReason };

/** One request and its response through this dispatcher. Never throws and never repeats: it says whether any byte can have left this machine. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  if (request.signal?.aborted) return Promise.resolve({ outcome: 'not_sent', reason: 'cancelled' });
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(request, resolve);
    try {
      dispatcher.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method,
          headers: { ...request.headers },
          body: request.body,
          // The handler has one timer for everything.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    } catch (error) {
      handler.fail(error);
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#giveUp('cancelled', 'cancelled');
  #controller: Dispatcher.DispatchController | undefined;
  #isStarted = false;
  #isSettled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(request: ExchangeRequest, resolve: (exchange: Exchange) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#timer = setTimeout(
      () => this.#giveUp('connect_timeout', 'response_timeout'),
      Math.max(1, request.timeoutMs),
    );
    request.signal?.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A second start would repeat a request that may have arrived.
    if (this.#isSettled || this.#isStarted) {
      controller.abort(new Error('The call was given up'));
      return;
    }
    this.#controller = controller;
    this.#isStarted = true;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined)
        this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.largestResponse - this.#size;
    this.#size += Math.min(room, chunk.length);
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) this.#giveUp('connect_failed', 'response_unreadable');
  }

  onResponseEnd(): void {
    this.#finish(this.#answered(true));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    if (!this.#isStarted) this.#finish({ outcome: 'not_sent', reason: notSentReason(error) });
    else if (this.#status > 0) this.#finish(this.#answered(false));
    else this.#finish({ outcome: 'unknown', reason: unknownReason(error) });
  }

  #giveUp(before: NotSentReason, after: UnknownReason): void {
    if (!this.#isStarted) this.#finish({ outcome: 'not_sent', reason: before });
    else if (this.#status > 0) this.#finish(this.#answered(false));
    else this.#finish({ outcome: 'unknown', reason: after });
    this.#controller?.abort(new Error('The call was given up'));
  }

  #answered(isComplete: boolean): Exchange {
    const body = Buffer.concat(this.#chunks);
    const response = { status: this.#status, headers: this.#headers, body, isComplete };
    return {
      outcome: 'answered',
      response: {
        ...response,
        text: () => body.toString('utf8'),
        json: () => (isComplete ? parseJson(body.toString('utf8')) : undefined),
      },
    };
  }

  #finish(outcome: Exchange): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve(outcome);
  }
}

function notSentReason(error: unknown): NotSentReason {
  const code = errorCode(error);
  if (code === 'ERR_ADDRESS_REFUSED') return 'address_refused';
  if (['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'connect_refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connect_timeout';
  if (error instanceof errors.InvalidArgumentError || code.startsWith('ERR_INVALID'))
    return 'invalid_request';
  if (/TLS|SSL|CERT|SIGNED|EPROTO|UNABLE_TO/.test(code)) return 'tls';
  return 'connect_failed';
}

function unknownReason(error: unknown): UnknownReason {
  const isUnreadable =
    error instanceof errors.HTTPParserError || errorCode(error) === 'UND_ERR_HEADERS_OVERFLOW';
  return isUnreadable ? 'response_unreadable' : 'connection_lost';
}
