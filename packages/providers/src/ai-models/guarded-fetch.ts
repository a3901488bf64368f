import type { AiProblem } from '@app/domain/chatbot/model/ai-models';
import type { CancelSignal } from '@app/domain/messaging/channel-port';
import { callMethods, type OutgoingCalls } from '@app/domain/network/outgoing-calls';

/** No answer came, or none that is whole. */
export class ModelAway extends Error {
  override name = 'ModelAway';
  readonly problem: AiProblem;
  constructor(problem: AiProblem) {
    super('The provider gave no answer.');
    this.problem = problem;
  }
}

/** For one attempt. A customer waits for the answer. */
const TIMEOUT_MS = 30_000;
/** No answer to a customer is as long as that. */
const LARGEST_RESPONSE = 512 * 1024;

/**
 * `fetch` for the libraries of providers, over the port of outgoing calls. A call is made three times at most: it changes nothing at the provider,
 * so it may arrive twice, and the port heeds `Retry-After`.
 */
export function createGuardedFetch(
  calls: OutgoingCalls,
  {
    workspaceId,
    largestResponse = LARGEST_RESPONSE,
    signal,
  }: { workspaceId: string; largestResponse?: number; signal?: CancelSignal | undefined },
): typeof fetch {
  return async (input, init) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const result = await calls.call({
      ...{ service: `ai:${workspaceId}`, limit: { atOnce: 8 }, url, timeoutMs: TIMEOUT_MS, largestResponse },
      method: callMethods.find((name) => name === init?.method) ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers).entries()),
      ...(typeof init?.body === 'string' && { body: init.body }),
      ...{ retry: { attempts: 3, mayRepeat: true, longestPauseMs: 10_000 }, signal },
    });
    if (!('response' in result)) throw new ModelAway(problemOf(result.reason));
    const { response } = result;
    if (!response.isComplete)
      throw new ModelAway(response.body.byteLength >= largestResponse ? 'too_large' : 'timeout');
    return new Response(Buffer.from(response.body), {
      status: response.status,
      headers: { ...response.headers },
    });
  };
}

function problemOf(reason: string): AiProblem {
  if (reason === 'rate_limited' || reason === 'cancelled') return reason;
  if (['invalid_address', 'address_refused'].includes(reason)) return 'address_refused';
  return reason === 'response_timeout' ? 'timeout' : 'unreachable';
}
