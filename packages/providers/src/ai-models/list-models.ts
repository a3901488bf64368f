import type { AiConnection, AiUsage } from '@app/domain/chatbot/model/ai-models';
import type { OutgoingCalls } from '@app/domain/network/outgoing-calls';
import { createGuardedFetch, ModelAway } from './guarded-fetch.ts';
import { baseUrlOf } from './open-model.ts';

/** More than any provider has on one page; an endpoint that lists all models of the world gets cut there. */
const MOST_MODELS = 1_000;
const NOTHING: AiUsage = { inputTokens: 0, outputTokens: 0 };

/** Ids of the models that the key opens, in the order of the alphabet. The libraries have no call for it. */
export async function listModels(
  calls: OutgoingCalls,
  connection: AiConnection,
): Promise<{ value: string[]; usage: AiUsage }> {
  const { workspaceId, provider, key } = connection;
  const fetch = createGuardedFetch(calls, { workspaceId, largestResponse: 4 * 1024 * 1024 });
  const response = await fetch(`${baseUrlOf(connection)}/models${query[provider]}`, {
    headers: headersOf(provider, key),
  });
  if (response.status === 400 || response.status === 401 || response.status === 403)
    throw new ModelAway('key_refused');
  if (response.status === 404) throw new ModelAway('address_refused');
  if (response.status === 429) throw new ModelAway('rate_limited');
  if (!response.ok) throw new ModelAway('provider_error');
  const body: unknown = await response.json().catch(() => null);
  const ids = readIds(body);
  if (ids === null) throw new ModelAway('invalid_answer');
  return { value: ids.toSorted().slice(0, MOST_MODELS), usage: NOTHING };
}

const query = { openai: '', anthropic: '?limit=1000', google: '?pageSize=1000', compatible: '' };

/** https://docs.anthropic.com/en/api/models-list, https://ai.google.dev/api/models, https://platform.openai.com/docs/api-reference/models */
function headersOf(provider: AiConnection['provider'], key: string): Record<string, string> {
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  if (provider === 'google') return { 'x-goog-api-key': key };
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

function readIds(body: unknown): string[] | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data, models } = body as { data?: unknown; models?: unknown };
  const list: unknown = data ?? models ?? body;
  if (!Array.isArray(list)) return null;
  return list.flatMap((model: unknown) => {
    const { id, name } = (model ?? {}) as { id?: unknown; name?: unknown };
    const found = typeof id === 'string' ? id : typeof name === 'string' ? name : null;
    return found === null ? [] : [found.replace(/^models\//, '')];
  });
}
