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
  query: Readonly<Record<string, string>>;
  json?: unknown;
  /** In place of JSON: the bytes of a file. */
  file?: { mimeType: string; bytes: Uint8Array };
  signal?: CancelSignal | undefined;
};

export type RcsAnswer =
  | { outcome: 'ok'; body: unknown }
  /** `isDoubtful`: the platform failed by itself and may have done what it was asked. */
  | { outcome: 'refused'; code: string; httpStatus: number; isDoubtful: boolean }
  | { outcome: 'not_sent'; reason: NotSentReason }
  | { outcome: 'unknown'; reason: UnknownReason };

export type RcsCalls = {
  call(call: RcsCall): Promise<RcsAnswer>;
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
  const basePath = base.pathname.replace(/\/+$/, '');
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

  function once(call: RcsCall): Promise<RcsAnswer> {
    // Without a pause while there is a token, as for nearly every message.
    if (token && now() < token.renewAt) return exchange(call, token);
    return findToken().then((found) => ('headers' in found ? exchange(call, found) : found));
  }

  function exchange({ method, path, query, json, file, signal }: RcsCall, used: Token): Promise<RcsAnswer> {
    const content = file?.bytes ?? (json === undefined ? undefined : JSON.stringify(json));
    return platform
      .exchange({
        method,
        path: `${basePath}${file ? '/upload' : ''}/v1/${path}?${toQuery(query)}`,
        headers: file
          ? [...used.headers.slice(0, 2), 'content-type', file.mimeType]
          : json === undefined
            ? used.headers.slice(0, 2)
            : used.headers,
        ...(content !== undefined && { body: content }),
        signal,
      })
      .then((answer) => readAnswer(answer, used));
  }

  function readAnswer(answer: HttpExchange, used: Token): RcsAnswer {
    if (!answer.ok && answer.phase === 'before_send') return { outcome: 'not_sent', reason: answer.reason };
    // The status alone says no, even where the rest of the answer is lost.
    if (!answer.ok && answer.status === undefined) return { outcome: 'unknown', reason: answer.reason };
    const { status = 0 } = answer;
    if (!answer.ok && status === 200) return { outcome: 'unknown', reason: 'response_unreadable' };
    const text = () => (answer.ok ? answer.body.toString() : '');
    // Parsed when it is read: an accepted message needs nothing of it.
    if (status === 200)
      return {
        outcome: 'ok',
        get body() {
          return parseJson(text());
        },
      };
    const body = parseJson(text());
    if (status === 401 && token === used) token = undefined;
    return refused(statusOf(body, status), status);
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
      answer = await once(call);
    }
  }

  return {
    async signIn() {
      const found = await findToken();
      return 'headers' in found ? { outcome: 'ok', body: null } : found;
    },
    call: (call) => once(call).then((answer) => (answer.outcome === 'ok' ? answer : repeat(call, answer))),
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
}

function isDoubtful(answer: RcsAnswer): boolean {
  if (answer.outcome === 'unknown') return answer.reason !== 'cancelled';
  return answer.outcome === 'refused' && answer.isDoubtful;
}

function toQuery(query: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in query) text += `${text && '&'}${name}=${encodeURIComponent(query[name] ?? '')}`;
  return text;
}

/** The token server of the platform, or the one of the stand-in that is called. */
function isTokenUrl(tokenUrl: string, base: URL): boolean {
  const { protocol, hostname, origin } = new URL(tokenUrl);
  return origin === base.origin || (protocol === 'https:' && /(^|\.)googleapis\.com$/.test(hostname));
}

function refused(code: string, httpStatus: number): Refused {
  return { outcome: 'refused', code, httpStatus, isDoubtful: httpStatus >= 500 };
}
