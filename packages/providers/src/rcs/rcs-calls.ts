import { Pool } from 'undici';
import type { CancelSignal } from '@app/domain/messaging/channel-port';
import type { CallMethod } from '@app/domain/network/outgoing-calls';
import { exchange, type Exchange } from '../calls/exchange.ts';
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
  method: CallMethod;
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
  | Exclude<Exchange, { outcome: 'answered' }>;

export type RcsCalls = {
  call(call: RcsCall): Promise<RcsAnswer>;
  /** Signs in, and asks for nothing. */
  signIn(): Promise<RcsAnswer>;
  close(): Promise<void>;
};

/** So often a call is made when the platform fails by itself: every one of them may be repeated, because it carries an id. */
const MOST_TRIES = 5;
const RENEW_BEFORE_MS = 5 * 60_000;
const LARGEST_RESPONSE = 1024 * 1024;

type Token = { token: string; renewAt: number; endsAt: number };
type Refused = Extract<RcsAnswer, { outcome: 'refused' }>;

/** Calls of the platform with a token of the service account. Never throws. */
export function createRcsCalls(options: RcsCallsOptions): RcsCalls {
  const base = new URL(options.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const timeouts = { ...defaultRcsTimeouts, ...options.timeouts };
  const now = options.now ?? Date.now;
  const pools = new Map<string, Pool>();
  let token: Token | undefined;
  /** One at a time: who comes meanwhile waits for the same token. */
  let signingIn: Promise<Token | Exclude<RcsAnswer, { outcome: 'ok' }>> | undefined;

  const poolOf = (origin: string) => {
    const pool =
      pools.get(origin) ??
      new Pool(origin, { connections: options.connections, pipelining: 1, allowH2: false });
    pools.set(origin, pool);
    return pool;
  };
  const ask = (
    url: URL,
    method: CallMethod,
    headers: Record<string, string>,
    body: string | Uint8Array | null,
    signal?: CancelSignal,
  ) =>
    exchange(poolOf(url.origin), {
      ...{ method, url, headers, body, signal },
      ...{ timeoutMs: timeouts.callMs, largestResponse: LARGEST_RESPONSE },
    });

  async function signIn(): Promise<Token | Exclude<RcsAnswer, { outcome: 'ok' }>> {
    const account = readServiceAccount(options.keyFile);
    // A key file names where it is exchanged; nothing is sent to a place that the platform does not have.
    if (!account || !isTokenUrl(account.tokenUrl, base)) return refused('key_unreadable', 0);
    const assertion = writeAssertion(account, options.scope ?? MESSAGING_SCOPE, now());
    const form = new URLSearchParams({ grant_type: JWT_GRANT, assertion }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask(new URL(account.tokenUrl), 'POST', headers, form);
    // Whatever became of it: nothing of the call itself has left.
    if (answer.outcome !== 'answered') return { outcome: 'not_sent', reason: 'connect_failed' };
    const { status } = answer.response;
    const body = recordOf(parseJson(answer.response.text()));
    const access = textOf(body['access_token']);
    if (status === 200 && access !== null) {
      const lifeMs = Math.max(60, Number(body['expires_in']) || 0) * 1000;
      return { token: access, renewAt: now() + lifeMs - RENEW_BEFORE_MS, endsAt: now() + lifeMs };
    }
    if (status >= 500 || status === 429) return { outcome: 'not_sent', reason: 'connect_failed' };
    const word = textOf(body['error']) ?? '';
    return refused(word === 'invalid_scope' ? word : 'invalid_grant', status);
  }

  async function findToken(): Promise<Token | Exclude<RcsAnswer, { outcome: 'ok' }>> {
    if (token && now() < token.renewAt) return token;
    signingIn ??= signIn().finally(() => (signingIn = undefined));
    const found = await signingIn;
    if ('token' in found) return (token = found);
    // The old one still does for a while.
    return token && now() < token.endsAt ? token : found;
  }

  async function once({ method, path, query, json, file, signal }: RcsCall): Promise<RcsAnswer> {
    const found = await findToken();
    if (!('token' in found)) return found;
    const root = `${base.origin}${basePath}${file ? '/upload' : ''}/v1`;
    const url = new URL(`${root}/${path}?${new URLSearchParams(query).toString()}`);
    const type = file?.mimeType ?? (json === undefined ? undefined : 'application/json');
    const headers = {
      authorization: `Bearer ${found.token}`,
      ...(type !== undefined && { 'content-type': type }),
    };
    const content = file?.bytes ?? (json === undefined ? null : JSON.stringify(json));
    const answer = await ask(url, method, headers, content, signal);
    if (answer.outcome !== 'answered') return answer;
    const { status, isComplete } = answer.response;
    const body = parseJson(answer.response.text());
    if (status === 200 && isComplete) return { outcome: 'ok', body };
    if (status === 200) return { outcome: 'unknown', reason: 'response_unreadable' };
    if (status === 401 && token === found) token = undefined;
    return refused(statusOf(body, status), status);
  }

  return {
    async signIn() {
      const found = await findToken();
      return 'token' in found ? { outcome: 'ok', body: null } : found;
    },
    async call(call) {
      let hasRenewed = false;
      for (let tries = 1; ; tries += 1) {
        const answer = await once(call);
        const isUnauthenticated = answer.outcome === 'refused' && answer.httpStatus === 401;
        if (isUnauthenticated && !hasRenewed) {
          hasRenewed = true;
          continue;
        }
        const isDoubtful =
          answer.outcome === 'unknown'
            ? answer.reason !== 'cancelled'
            : answer.outcome === 'refused' && answer.isDoubtful;
        if (!isDoubtful || tries >= MOST_TRIES || call.signal?.aborted) return answer;
        await new Promise((resolve) => setTimeout(resolve, timeouts.pauseMs * 2 ** (tries - 1)));
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The token server of the platform, or the one of the stand-in that is called. */
function isTokenUrl(tokenUrl: string, base: URL): boolean {
  const { protocol, hostname, origin } = new URL(tokenUrl);
  return origin === base.origin || (protocol === 'https:' && /(^|\.)googleapis\.com$/.test(hostname));
}

function refused(code: string, httpStatus: number): Refused {
  return { outcome: 'refused', code, httpStatus, isDoubtful: httpStatus >= 500 };
}
