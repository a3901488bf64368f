import type { ConnectorCall } from '@app/domain/integrations/connector-kind';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import type { Reply } from '@app/domain/integrations/contact-connector';
import type { CallOutcome } from '@app/domain/network/outgoing-calls';
import { askService, type Answer } from '../calls/ask-service.ts';
import { unreadable } from '../calls/expected-answer.ts';
import { recordOf, textOf } from '../calls/json-values.ts';
import { createRenewedToken } from '../calls/renewed-token.ts';

/** Salesforce supports a version for at least three years (developer.salesforce.com, API end-of-life policy). */
export const DATA = '/services/data/v62.0';

const MINUTE_MS = 60_000;
/** The daily limit is a sliding day, and the vendor names no pause: developer.salesforce.com, API request limits. */
const DAILY_PAUSE_MS = 15 * MINUTE_MS;
/** The rest of the day's calls is left to the other programs of the company. */
const SHARE = 0.9;

export type SalesforceAnswer = Pick<Answer, 'body' | 'headers' | 'clockAheadMs'>;

/** One call of the organisation. `path` begins with `/services/`. `mayRepeat`: the same request twice does no harm. */
export type SalesforceAsk = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  mayRepeat?: boolean,
) => Promise<Reply<SalesforceAnswer>>;

export type SalesforceAccess = {
  /** `https://{my domain}.my.salesforce.com`, or the stand-in. */
  origin: string;
  clientId: string;
  clientSecret: string;
  /** Whether calls may go to this address, which the answer with the token names. */
  mayCall(instanceUrl: string): boolean;
};

type Session = { token: string; instanceUrl: string };

/** Calls in the name of the app. A session ends at any time; then a new one begins, once for all calls. */
export function createSalesforceAsk(call: ConnectorCall, access: SalesforceAccess): SalesforceAsk {
  const withSession = createRenewedToken(() => beginSession(call, access));
  let usage: { used: number; most: number } | null = null;
  return (method, path, body, mayRepeat = true) =>
    withSession(async ({ token, instanceUrl }) => {
      if (usage && usage.used >= usage.most * SHARE)
        return {
          ...{ ok: false, problem: 'service_busy', retryAfterMs: DAILY_PAUSE_MS },
          detail: `api-usage=${usage.used}/${usage.most}`,
        };
      const reply = await askService(
        call,
        {
          ...{ method, url: `${instanceUrl}${path}`, mayRepeat },
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        },
        readSalesforceProblem,
      );
      if (reply.ok) usage = readUsage(reply.value.headers['sforce-limit-info']) ?? usage;
      return reply;
    });
}

/** The client-credentials flow of an external client app. It has no refresh token: the same request begins the next session. */
async function beginSession(
  call: ConnectorCall,
  { origin, clientId, clientSecret, mayCall }: SalesforceAccess,
): Promise<Reply<Session>> {
  const reply = await askService(
    call,
    {
      ...{ method: 'POST', url: `${origin}/services/oauth2/token` },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      }).toString(),
    },
    (outcome) => {
      if (outcome.outcome !== 'rejected') return null;
      const { error, error_description: words } = recordOf(outcome.response.json());
      const code = textOf(error);
      if (code === null) return readSalesforceProblem(outcome);
      // Besides wrong credentials the vendor says 400 to too many logins, and when it is not able to.
      const isPassing = /retry|rate|unavailable|unknown_error/i.test(`${code} ${textOf(words) ?? ''}`);
      return {
        detail: [code, textOf(words)].filter(Boolean).join(': '),
        problem: isPassing ? 'service_busy' : 'credentials_wrong',
      };
    },
  );
  if (!reply.ok) return reply;
  const { access_token: token, instance_url: url } = recordOf(reply.value.body);
  const [read, instanceUrl] = [textOf(token), textOf(url)?.replace(/\/+$/, '') ?? ''];
  if (read === null) return unreadable;
  return mayCall(instanceUrl)
    ? { ok: true, value: { token: read, instanceUrl } }
    : { ...unreadable, retryAfterMs: null };
}

/** What each error code means beyond its status: developer.salesforce.com, REST API status codes and error responses. */
const PROBLEMS: Readonly<Record<string, ConnectorProblem>> = {
  REQUEST_LIMIT_EXCEEDED: 'service_busy',
  SERVER_UNAVAILABLE: 'service_away',
  QUERY_TIMEOUT: 'service_away',
  UNABLE_TO_LOCK_ROW: 'service_away',
  INVALID_SESSION_ID: 'credentials_wrong',
  API_DISABLED_FOR_ORG: 'permission_missing',
  API_CURRENTLY_DISABLED: 'permission_missing',
  INSUFFICIENT_ACCESS: 'permission_missing',
};

function readSalesforceProblem(outcome: CallOutcome) {
  if (outcome.outcome !== 'rejected') return null;
  const body = outcome.response.json();
  const { message, errorCode } = recordOf(Array.isArray(body) ? body[0] : body);
  const [code, detail] = [textOf(errorCode) ?? '', textOf(message)];
  const problem = PROBLEMS[code];
  // The limit of calls at one time passes quickly, that of the day does not.
  const isDaily = code === 'REQUEST_LIMIT_EXCEEDED' && !/concurrent/i.test(detail ?? '');
  return {
    detail: detail ?? (code || null),
    ...(problem && { problem }),
    ...(isDaily && { retryAfterMs: DAILY_PAUSE_MS }),
  };
}

/** Of `api-usage=123/100000`. */
function readUsage(header: string | undefined): { used: number; most: number } | null {
  const [, used, most] = /api-usage=(\d{1,12})\/(\d{1,12})/.exec(header ?? '') ?? [];
  return used === undefined || most === undefined || Number(most) === 0
    ? null
    : { used: Number(used), most: Number(most) };
}
