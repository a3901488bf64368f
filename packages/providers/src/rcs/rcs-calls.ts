import type { CancelSignal, NotSentReason, UnknownReason } from '@app/domain/messaging/channel-port';
import {
  createHttpTransport,
  type HttpExchange,
  type HttpRequest,
  type HttpTransport,
} from '../calls/http-transport.ts';
import { parseJson, recordOf, textOf } from '../calls/json-values.ts';
import { statusOf } from './rcs-errors.ts';
import { JWT_GRANT, MESSAGING_SCOPE, readServiceAccount, writeAssertion } from './service-account.ts';

export type RcsTimeouts = { callMs: number; pauseMs: number };
export const defaultRcsTimeouts: RcsTimeouts = { callMs: 20_000, pauseMs: 500 };

export type RcsCallsOptions = {
  /** With its path where it is a stand-in; `/v1` follows. */
  baseUrl: string;
  keyFile: string;
  connections: number;
  /** What the token allows; left out: messages. */
  scope?: string;
  timeouts?: Partial<RcsTimeouts>;
  now?: () => number;
};

export type RcsCall = {
  method: HttpRequest['method'];
  path: string;
  /** As `queryOf` writes it; empty for none. */
  query: string;
  /** A body of JSON, as text. */
  json?: string;
  /** In place of JSON: the bytes of a file. */
  file?: { mimeType: string; bytes: Uint8Array };
  signal?: CancelSignal | undefined;
};

export type RcsAnswer =
  /** `body` as it came: an accepted message needs nothing of it. `readBody` parses it. */
  | { outcome: 'ok'; body: Buffer }
  /** `isDoubtful`: the platform failed by itself and may have done what it was asked. */
  | { outcome: 'refused'; code: string; httpStatus: number; isDoubtful: boolean }
  | { outcome: 'not_sent'; reason: NotSentReason }
  | { outcome: 'unknown'; reason: UnknownReason };

type Reader<Result> = (answer: RcsAnswer) => Result | Promise<Result>;

export type RcsCalls = {
  call(call: RcsCall): Promise<RcsAnswer>;
  /** For messages: what `read` makes of the answer, without a promise of its own. */
  callFor<Result>(call: RcsCall, read: Reader<Result>): Promise<Result>;
  /** Signs in, and asks for nothing. */
  signIn(): Promise<RcsAnswer>;
  close(): Promise<void>;
};

/** So often a call is made when the platform fails by itself: every one of them may be repeated, because it carries an id. */
const MOST_TRIES = 5;
const RENEW_BEFORE_MS = 5 * 60_000;
/** Of opening a connection, TLS included. */
const LONGEST_CONNECT_MS = 5_000;

/** `headers` are those of a call with JSON: one list for all messages under this token. */
type Token = { headers: readonly string[]; renewAt: number; endsAt: number };
type Refused = Extract<RcsAnswer, { outcome: 'refused' }>;

/** Calls of the platform with a token of the service account. Never throws. */
export function createRcsCalls(options: RcsCallsOptions): RcsCalls {
  const base = new URL(options.baseUrl);
  const rootPath = base.pathname.replace(/\/+$/, '');
  const [callPath, uploadPath] = [`${rootPath}/v1/`, `${rootPath}/upload/v1/`];
  const timeouts = { ...defaultRcsTimeouts, ...options.timeouts };
  const now = options.now ?? Date.now;
  const transports = new Map<string, HttpTransport>();
  let token: Token | undefined;
  /** One at a time: who comes meanwhile waits for the same token. */
  let signingIn: Promise<Token | Exclude<RcsAnswer, { outcome: 'ok' }>> | undefined;

  const transportTo = (origin: string) => {
    const { callMs } = timeouts;
    const transport =
      transports.get(origin) ??
      createHttpTransport({
        ...{ origin, connections: options.connections, maxWaiting: Infinity },
        timeouts: {
          connectMs: Math.min(callMs, LONGEST_CONNECT_MS),
          ...{ headersMs: callMs, bodyMs: callMs, totalMs: callMs },
        },
      });
    transports.set(origin, transport);
    return transport;
  };
  const platform = transportTo(base.origin);

  async function signIn(): Promise<Token | Exclude<RcsAnswer, { outcome: 'ok' }>> {
    const account = readServiceAccount(options.keyFile);
    // A key file names where it is exchanged; nothing is sent to a place that the platform does not have.
    if (!account || !isTokenUrl(account.tokenUrl, base)) return refused('key_unreadable', 0);
    const assertion = writeAssertion(account, options.scope ?? MESSAGING_SCOPE, now());
    const form = new URLSearchParams({ grant_type: JWT_GRANT, assertion }).toString();
    const { origin, pathname, search } = new URL(account.tokenUrl);
    const answer = await transportTo(origin).exchange({
      ...{ method: 'POST', path: pathname + search, body: form },
      headers: ['content-type', 'application/x-www-form-urlencoded'],
    });
    // Whatever became of it: nothing of the call itself has left.
    if (!answer.ok) return { outcome: 'not_sent', reason: 'connect_failed' };
    const { status } = answer;
    const body = recordOf(parseJson(answer.body.toString()));
    const access = textOf(body['access_token']);
    if (status === 200 && access !== null) {
      const lifeMs = Math.max(60, Number(body['expires_in']) || 0) * 1000;
      const headers = ['authorization', `Bearer ${access}`, 'content-type', 'application/json'];
      return { headers, renewAt: now() + lifeMs - RENEW_BEFORE_MS, endsAt: now() + lifeMs };
    }
    if (status >= 500 || status === 429) return { outcome: 'not_sent', reason: 'connect_failed' };
    const word = textOf(body['error']) ?? '';
    return refused(word === 'invalid_scope' ? word : 'invalid_grant', status);
  }

  async function findToken(): Promise<Token | Exclude<RcsAnswer, { outcome: 'ok' }>> {
    if (token && now() < token.renewAt) return token;
    signingIn ??= signIn().finally(() => (signingIn = undefined));
    const found = await signingIn;
    if ('headers' in found) return (token = found);
    // The old one still does for a while.
    return token && now() < token.endsAt ? token : found;
  }

  /** One try, without a pause while there is a token, as for nearly every message. */
  function tryOnce<Result>(call: RcsCall, read: Reader<Result>): Promise<Result> {
    if (token && now() < token.renewAt) return exchange(call, token, read);
    return findToken().then((found) => ('headers' in found ? exchange(call, found, read) : read(found)));
  }

  function exchange<Result>(
    { method, path, query, json, file, signal }: RcsCall,
    used: Token,
    read: Reader<Result>,
  ): Promise<Result> {
    return platform
      .exchange({
        method,
        path: `${file ? uploadPath : callPath}${path}?${query}`,
        headers: file ? headersOf(used, file.mimeType) : json === undefined ? headersOf(used) : used.headers,
        body: file?.bytes ?? json,
        signal,
      })
      .then((answer) => read(readAnswer(answer, used)));
  }

  function readAnswer(answer: HttpExchange, used: Token): RcsAnswer {
    if (answer.ok && answer.status === 200) return { outcome: 'ok', body: answer.body };
    if (!answer.ok && answer.phase === 'before_send') return { outcome: 'not_sent', reason: answer.reason };
    // The status alone says no, even where the rest of the answer is lost.
    if (!answer.ok && answer.status === undefined) return { outcome: 'unknown', reason: answer.reason };
    const { status = 0 } = answer;
    if (!answer.ok && status === 200) return { outcome: 'unknown', reason: 'response_unreadable' };
    if (status === 401 && token === used) token = undefined;
    return refused(statusOf(answer.ok ? parseBody(answer.body) : undefined, status), status);
  }

  /** Makes a call again that got no clear answer, and once more where only the token was too old. */
  async function repeat(call: RcsCall, first: RcsAnswer): Promise<RcsAnswer> {
    let answer = first;
    let hasRenewed = false;
    for (let tries = 1; ; tries += 1) {
      const isUnauthenticated = answer.outcome === 'refused' && answer.httpStatus === 401;
      if (!isUnauthenticated || hasRenewed) {
        if (!isDoubtful(answer) || tries >= MOST_TRIES || call.signal?.aborted) return answer;
        await new Promise((resolve) => setTimeout(resolve, timeouts.pauseMs * 2 ** (tries - 1)));
      } else hasRenewed = true;
      answer = await tryOnce(call, asItIs);
    }
  }

  const callFor = <Result>(call: RcsCall, read: Reader<Result>): Promise<Result> =>
    tryOnce(call, (first) => (first.outcome === 'ok' ? read(first) : repeat(call, first).then(read)));

  return {
    async signIn() {
      const found = await findToken();
      return 'headers' in found ? { outcome: 'ok', body: Buffer.alloc(0) } : found;
    },
    call: (call) => callFor(call, asItIs),
    callFor,
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
}

const asItIs = (answer: RcsAnswer): RcsAnswer => answer;

function isDoubtful(answer: RcsAnswer): boolean {
  if (answer.outcome === 'unknown') return answer.reason !== 'cancelled';
  return answer.outcome === 'refused' && answer.isDoubtful;
}

/** The JSON of an answer; undefined for anything else. */
export const readBody = ({ body }: Extract<RcsAnswer, { outcome: 'ok' }>): unknown => parseBody(body);

const parseBody = (body: Buffer): unknown => parseJson(body.toString());

const headersOf = ({ headers }: Token, contentType?: string): readonly string[] => {
  const authorization = headers.slice(0, 2);
  return contentType === undefined ? authorization : [...authorization, 'content-type', contentType];
};

/** The part of an address behind its question mark. */
export function queryOf(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The token server of the platform, or the one of the stand-in that is called. */
function isTokenUrl(tokenUrl: string, base: URL): boolean {
  const { protocol, hostname, origin } = new URL(tokenUrl);
  return origin === base.origin || (protocol === 'https:' && /(^|\.)googleapis\.com$/.test(hostname));
}

function refused(code: string, httpStatus: number): Refused {
  return { outcome: 'refused', code, httpStatus, isDoubtful: httpStatus >= 500 };
}
