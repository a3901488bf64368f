import type { ConnectorCall } from '@app/domain/integrations/connector-kind';
import type { Reply } from '@app/domain/integrations/contact-connector';
import { askService, type Answer } from '../calls/ask-service.ts';
import { createRenewedToken } from '../calls/renewed-token.ts';
import { unreadable } from '../calls/expected-answer.ts';
import { isRecord, numberOf, recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';

/** A version is supported for a year (shopify.dev, API versioning). */
const VERSION = '2026-10';

/** One GraphQL call of the shop. `mayRepeat`: the same request twice does no harm. */
export type ShopifyAsk = (
  query: string,
  variables?: object,
  mayRepeat?: boolean,
) => Promise<Reply<{ data: JsonRecord; clockAheadMs: number }>>;

export type ShopifyAccess = {
  /** `https://{shop}.myshopify.com`, or the stand-in. */
  origin: string;
  clientId: string;
  clientSecret: string;
  /** Of an app that a shop made for itself before 2026; empty where the client credentials give one. */
  accessToken: string;
};

/** An app that a shop made for itself has a token that does not end; any other fetches one, which lasts a day. */
export function createShopifyAsk(call: ConnectorCall, access: ShopifyAccess): ShopifyAsk {
  const withToken = createRenewedToken(() =>
    access.accessToken === ''
      ? fetchToken(call, access)
      : Promise.resolve({ ok: true as const, value: access.accessToken }),
  );
  return (query, variables = {}, mayRepeat = true) =>
    withToken(async (token) => {
      const reply = await askService(
        call,
        {
          ...{ method: 'POST', url: `${access.origin}/admin/api/${VERSION}/graphql.json`, mayRepeat },
          headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
          body: JSON.stringify({ query, variables }),
        },
        (outcome) =>
          outcome.outcome === 'rejected'
            ? { detail: wordsOf(recordOf(outcome.response.json())['errors']) }
            : null,
      );
      return reply.ok ? readAnswer(reply.value) : reply;
    });
}

async function fetchToken(
  call: ConnectorCall,
  { origin, clientId, clientSecret }: ShopifyAccess,
): Promise<Reply<string>> {
  const reply = await askService(
    call,
    {
      ...{ method: 'POST', url: `${origin}/admin/oauth/access_token` },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      }).toString(),
    },
    (outcome) =>
      outcome.outcome === 'rejected'
        ? { detail: textOf(recordOf(outcome.response.json())['error_description']) }
        : null,
  );
  if (!reply.ok)
    return reply.problem === 'service_rejected' || reply.problem === 'permission_missing'
      ? { ...reply, problem: 'credentials_wrong' }
      : reply;
  const token = textOf(recordOf(reply.value.body)['access_token']);
  return token === null ? unreadable : { ok: true, value: token };
}

/** Errors come with status 200, too: the limit of the shop, and what the app may not see. */
function readAnswer({ body, clockAheadMs }: Answer): Reply<{ data: JsonRecord; clockAheadMs: number }> {
  const { data, errors, extensions } = recordOf(body);
  if (!Array.isArray(errors) || errors.length === 0)
    return isRecord(data) ? { ok: true, value: { data, clockAheadMs } } : unreadable;
  const code = textOf(recordOf(recordOf(errors[0])['extensions'])['code']);
  const detail = wordsOf(errors);
  if (code === 'THROTTLED')
    return { ok: false, problem: 'service_busy', detail, retryAfterMs: pauseOf(extensions) };
  const problem = code === 'ACCESS_DENIED' ? 'permission_missing' : 'service_rejected';
  return { ok: false, problem, detail, retryAfterMs: null };
}

/** Until the bucket holds what the query costs. */
function pauseOf(extensions: unknown): number {
  const { requestedQueryCost, throttleStatus } = recordOf(recordOf(extensions)['cost']);
  const { currentlyAvailable, restoreRate } = recordOf(throttleStatus);
  const [needs, has, rate] = [requestedQueryCost, currentlyAvailable, restoreRate].map(numberOf);
  if (needs === null || has === null || !rate) return 2_000;
  return Math.min(Math.max(Math.ceil(((needs! - has!) / rate) * 1_000), 500), 60_000); // one of three each
}

function wordsOf(errors: unknown): string | null {
  if (!Array.isArray(errors)) return textOf(errors);
  return (
    errors
      .map((error) => textOf(recordOf(error)['message']))
      .filter((words) => words !== null)
      .join(' · ') || null
  );
}
