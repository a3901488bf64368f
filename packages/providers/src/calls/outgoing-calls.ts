import { isIP } from 'node:net';
import type { Agent } from 'undici';
import {
  callMethods,
  readRetryAfter,
  type AddressProblem,
  type CallOutcome,
  type CallResult,
  type OutgoingCall,
  type OutgoingCalls,
} from '@app/domain/network/outgoing-calls';
import { createGuardedAgent, isPublicAddress, namesHost } from '../guarded-agent.ts';
import { exchange } from './exchange.ts';
import { followRedirect } from './follow-redirect.ts';
import { mayTryAgain, pauseBefore } from './retry-rules.ts';
import { CallCancelled, ServiceLimits, waitFor, type Pause } from './service-limits.ts';

const TIMEOUT_MS = { usual: 10_000, most: 120_000 };
const RESPONSE_BYTES = { usual: 1024 * 1024, most: 32 * 1024 * 1024 };
const LONGEST_ADDRESS = 4_096;
const MOST_REDIRECTS = 5;
const MOST_ATTEMPTS = 6;
const LONGEST_PAUSE_MS = 10_000;
/** Set by the connection; a caller that sets one of them could smuggle a second request. */
const OWN_HEADERS = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'te', 'trailer'],
  ...['proxy-authorization', 'proxy-connection', 'expect'],
]);

export type OutgoingCallsOptions = {
  /** Hosts that calls may reach although they are not public, as `host` or `host:port`. The operator names them. */
  namedHosts?: readonly string[];
  log?: CallLog;
  agent?: Agent;
  now?: () => Date;
  pause?: Pause;
  random?: () => number;
};

/** One line for each call: never an address with its path, a header or a body, because all three carry secrets. */
export type CallLog = (line: {
  service: string;
  origin: string;
  method: string;
  outcome: CallResult['outcome'];
  reason?: string;
  status?: number;
  bytes?: number;
  attempts: number;
  durationMs: number;
}) => void;

/** HTTP to third parties, see the port. `close` waits for the calls in flight. */
export function createOutgoingCalls(
  options: OutgoingCallsOptions = {},
): OutgoingCalls & { close(): Promise<void> } {
  const { namedHosts = [], log = () => {}, now = () => new Date(), random = Math.random } = options;
  const pause = options.pause ?? waitFor;
  const agent = options.agent ?? createGuardedAgent({ namedHosts });
  const limits = new ServiceLimits(() => now().getTime(), pause);

  function checkAddress(text: string): AddressProblem | null {
    const url = text.length > LONGEST_ADDRESS ? null : URL.parse(text);
    if (!url || !['http:', 'https:'].includes(url.protocol)) return 'invalid_address';
    // They would stand in logs and lists of addresses.
    if (url.username || url.password || url.hostname === '') return 'invalid_address';
    if (namesHost(namedHosts, url)) return null;
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isLocalName = /(^|\.)(localhost|local|internal)\.?$/i.test(host);
    return isLocalName || (isIP(host) !== 0 && !isPublicAddress(host)) ? 'address_refused' : null;
  }

  /** One attempt with its redirects. */
  async function attempt(call: OutgoingCall): Promise<CallResult> {
    const problem = checkAddress(call.url);
    if (problem) return notSent(problem);
    const headers = Object.fromEntries(
      Object.entries(call.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    if (Object.keys(headers).some((name) => OWN_HEADERS.has(name))) return notSent('invalid_request');
    const endAt = performance.now() + Math.min(call.timeoutMs ?? TIMEOUT_MS.usual, TIMEOUT_MS.most);
    const most = Math.min(call.redirects ?? 0, MOST_REDIRECTS);
    let request = {
      method: call.method ?? 'GET',
      url: new URL(call.url),
      headers: { 'user-agent': 'messaging-dashboard', 'accept-encoding': 'identity', ...headers } as Record<
        string,
        string
      >,
      body: call.body ?? null,
      largestResponse: Math.min(call.largestResponse ?? RESPONSE_BYTES.usual, RESPONSE_BYTES.most),
      signal: call.signal,
    };
    for (let hop = 0; ; hop += 1) {
      const result = await exchange(agent, { ...request, timeoutMs: endAt - performance.now() });
      if (result.outcome !== 'answered') {
        // A hop before it was answered, so something has left.
        if (hop > 0 && result.outcome === 'not_sent')
          return {
            outcome: 'unknown',
            reason: result.reason === 'cancelled' ? 'cancelled' : 'connection_lost',
          };
        return result.outcome === 'not_sent' ? notSent(result.reason) : result;
      }
      const { response } = result;
      const { status, headers: answered } = response;
      if (status >= 200 && status < 300) return { outcome: 'ok', response };
      const retryAfterMs = readRetryAfter(answered['retry-after'], now());
      const rejected = { outcome: 'rejected', response, retryAfterMs } as const;
      if (most === 0 || ![301, 302, 303, 307, 308].includes(status)) return { ...rejected, reason: 'status' };
      if (hop === most) return { ...rejected, reason: 'too_many_redirects' };
      const next = followRedirect(request, status, answered['location'], checkAddress);
      if (!next) return { ...rejected, reason: 'redirect_refused' };
      request = next;
    }
  }

  async function inTurn(call: OutgoingCall, longestWaitMs: number): Promise<CallResult> {
    const turn = await limits.take(call.service, call.limit, longestWaitMs, call.signal);
    if (turn.outcome === 'too_long') return { ...notSent('rate_limited'), retryAfterMs: turn.waitMs };
    try {
      const result = await attempt(call);
      const isAsked = result.outcome === 'rejected' && [429, 503].includes(result.response.status);
      if (isAsked && result.retryAfterMs !== null) limits.pauseFor(call.service, result.retryAfterMs);
      return result;
    } finally {
      turn.end();
    }
  }

  async function tryInTurn(call: OutgoingCall): Promise<CallResult & { attempts: number }> {
    const most = Math.min(call.retry?.attempts ?? 1, MOST_ATTEMPTS);
    const longestPauseMs = call.retry?.longestPauseMs ?? LONGEST_PAUSE_MS;
    for (let attempts = 1; ; attempts += 1) {
      const result = await inTurn(call, longestPauseMs).catch((error: unknown) => {
        if (error instanceof CallCancelled || call.signal?.aborted) return notSent('cancelled');
        throw error;
      });
      if (attempts >= most || !mayTryAgain(call, result)) return { ...result, attempts };
      const pauseMs = pauseBefore(result, attempts, random());
      if (pauseMs > longestPauseMs) return { ...result, attempts };
      // What came of the last attempt stands when the caller gives up meanwhile.
      const isOver = await pause(pauseMs, call.signal).then(
        () => false,
        () => true,
      );
      if (isOver) return { ...result, attempts };
    }
  }

  return {
    checkAddress,
    isNamed(text) {
      const url = URL.parse(text);
      return url !== null && namesHost(namedHosts, url);
    },
    async call(call): Promise<CallOutcome> {
      const begun = performance.now();
      const result = await tryInTurn(call);
      const outcome = { ...result, durationMs: Math.round(performance.now() - begun) };
      log(describe(call, outcome));
      return outcome;
    },
    close: () => agent.close(),
  };
}

function notSent(reason: Extract<CallResult, { outcome: 'not_sent' }>['reason']) {
  return { outcome: 'not_sent', reason, retryAfterMs: null } as const;
}

function describe(call: OutgoingCall, outcome: CallOutcome): Parameters<CallLog>[0] {
  const method = call.method && callMethods.includes(call.method) ? call.method : 'GET';
  return {
    service: call.service,
    origin: URL.parse(call.url)?.origin ?? 'invalid',
    ...{ method, outcome: outcome.outcome, attempts: outcome.attempts, durationMs: outcome.durationMs },
    ...('reason' in outcome && { reason: outcome.reason }),
    ...('response' in outcome && {
      status: outcome.response.status,
      bytes: outcome.response.body.byteLength,
    }),
  };
}
