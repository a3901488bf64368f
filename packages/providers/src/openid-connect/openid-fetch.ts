import { callMethods, type OutgoingCalls } from '@app/domain/network/outgoing-calls';

/** No answer came. The code says why, and nothing of what was asked. */
export class ProviderAway extends Error {
  override name = 'ProviderAway';
  readonly code: string;
  constructor(code: string) {
    super('The provider cannot be reached.');
    this.code = code;
  }
}

export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

/** `fetch` for a provider, over the port of outgoing calls: in bounded time and size, following no redirect. */
export function createOpenIdFetch(calls: OutgoingCalls) {
  return async (
    url: string,
    init: { method?: string; headers?: unknown; body?: unknown },
  ): Promise<Response> => {
    const { headers, body } = init;
    const result = await calls.call({
      ...{
        service: 'company sign-in',
        url,
        method: callMethods.find((name) => name === init.method) ?? 'GET',
      },
      ...(headers !== undefined && { headers: headers as Record<string, string> }), // as the library gives them
      // A form; its text is the same for both kinds of `fetch`.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
    if (!('response' in result)) throw new ProviderAway(result.reason);
    const { response } = result;
    if (!response.isComplete) throw new AnswerTooLarge('The answer is too large, or did not end.');
    const isEmpty = [101, 204, 205, 304].includes(response.status);
    return new Response(isEmpty ? null : Buffer.from(response.body), {
      status: response.status,
      headers: { ...response.headers },
    });
  };
}
