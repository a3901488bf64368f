import { fetch as send, type Agent } from 'undici';

const PATIENCE_MS = 10_000;
/** More than any metadata, key set or token. */
const LARGEST_ANSWER = 1024 * 1024;

export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

/** `fetch` for a provider: through this agent, in bounded time and size, following no redirect. */
export function createOpenIdFetch(agent: Agent) {
  return async (
    url: string,
    init: { method?: string; headers?: unknown; body?: unknown },
  ): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    const answer = await send(url, {
      ...{ method, dispatcher: agent, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) },
      ...(headers !== undefined && { headers: headers as Record<string, string> }), // as the library gives them
      // A form; its text is the same for both kinds of `fetch`.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength;
      if (size > LARGEST_ANSWER) throw new AnswerTooLarge('The answer is too large.');
      chunks.push(chunk);
    }
    const isEmpty = [101, 204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : Buffer.concat(chunks), {
      status: answer.status,
      headers: [...answer.headers],
    });
  };
}
