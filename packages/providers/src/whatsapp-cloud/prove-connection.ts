import {
  ENDS_SOON_MS,
  type ConnectionProblem,
  type ConnectionCheck,
  type FieldCheck,
} from '@app/domain/channels/channel-connector';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import { ProviderRejected, ProviderUnreachable } from '../provider-errors.ts';
import { nextPage, numberFields, readList, readPhoneNumber } from './account-calls.ts';
import { createGraphCalls, type GraphAnswer, type GraphCalls, pathSegment } from './graph-calls.ts';
import { createHttpTransport } from '../calls/http-transport.ts';
import { isRecord, numberOf, textOf } from './json-reading.ts';

/** What a number needs: to send and to be told of what happens, and to look after templates and numbers. */
const permissions = ['whatsapp_business_messaging', 'whatsapp_business_management'];
const timeouts = { connectMs: 5_000, headersMs: 15_000, bodyMs: 15_000, totalMs: 20_000 };
/** What can stand in a header. */
const sendable = /^[\x21-\x7e]+$/;
const NOT_THERE = new Set(['33', '100', '803', '1000']);

type Found = { problem: ConnectionProblem | null; detail?: string | null };

/** Asks the platform about each value, in the order in which one needs the other. Throws nothing that the platform says. */
export async function proveConnection(credentials: Credentials): Promise<ConnectionCheck> {
  const { baseUrl = '', accessToken = '', appId = '', appSecret = '' } = credentials;
  const { businessAccountId = '', phoneNumberId = '' } = credentials;
  const base = URL.parse(baseUrl);
  if (!base)
    return { fields: [], accountName: null, displayName: null, messagesPerSecond: null, endsAt: null };
  const transport = createHttpTransport({ origin: base.origin, connections: 4, timeouts });
  const open = (token: string) => createGraphCalls(transport, base.pathname.replace(/\/+$/, ''), token);
  const fields: FieldCheck[] = [];
  const tell = (field: string, { problem, detail }: Found, isRight = problem === null) =>
    fields.push({ field, state: isRight ? 'right' : stateOf(problem), problem, detail: detail ?? null });
  const leave = (field: string) => fields.push({ field, state: 'unproven', problem: null, detail: null });
  const proof: Pick<ConnectionCheck, 'accountName' | 'displayName' | 'endsAt'> = {
    ...{ accountName: null, displayName: null, endsAt: null },
  };
  let messagesPerSecond: number | null = null;
  try {
    const secretProof =
      appId && appSecret ? proveSecret(open(`${appId}|${appSecret}`), appId, appSecret) : null;
    const token = accessToken ? await proveToken(open(accessToken), accessToken) : null;
    const isTokenRight = token?.problem === null || token?.problem === 'token_ends_soon';
    if (token) tell('accessToken', token, isTokenRight);
    proof.endsAt = token?.endsAt ?? null;
    const secret = await secretProof;
    if (appId) {
      if (token?.appId && token.appId !== appId)
        tell('appId', { problem: 'app_of_another_token', detail: token.appId });
      else if (secret?.problem === 'app_unknown' || secret?.problem === null) tell('appId', secret);
      else if (token?.appId === appId) tell('appId', { problem: null });
      else leave('appId');
    }
    if (appSecret) {
      if (secret && secret.problem !== 'app_unknown') tell('appSecret', secret);
      else leave('appSecret');
    }
    const account =
      isTokenRight && businessAccountId ? await proveAccount(open(accessToken), businessAccountId) : null;
    if (businessAccountId) {
      if (account) tell('businessAccountId', account);
      else leave('businessAccountId');
    }
    proof.accountName = account?.name ?? null;
    if (isTokenRight && phoneNumberId) {
      const isKnown = account?.problem === null;
      const number = await proveNumber(open(accessToken), phoneNumberId, isKnown ? businessAccountId : null);
      tell('phoneNumberId', number, number.problem === null || number.problem === 'number_not_registered');
      proof.displayName = number.displayName ?? null;
      messagesPerSecond = number.messagesPerSecond ?? null;
    } else if (phoneNumberId) leave('phoneNumberId');
  } finally {
    await transport.close();
  }
  return { fields: blameToken(fields), ...proof, messagesPerSecond };
}

/** A token that ends between two questions is one that ended: what was asked with it is not known then. */
function blameToken(fields: readonly FieldCheck[]): FieldCheck[] {
  const ended = fields.find(({ problem }) => problem === 'token_expired' || problem === 'token_invalid');
  if (!ended || ended.field === 'accessToken') return [...fields];
  return fields.map((proof) => {
    if (proof.field === 'accessToken') return { ...ended, field: 'accessToken' };
    return proof.problem === ended.problem
      ? { ...proof, state: 'unproven', problem: null, detail: null }
      : proof;
  });
}

type TokenFound = Found & { appId?: string | null; endsAt?: Date | null };

async function proveToken(graph: GraphCalls, accessToken: string): Promise<TokenFound> {
  if (!sendable.test(accessToken)) return { problem: 'token_invalid' };
  return ask(
    async () => {
      const answer = await graph.call('GET', 'debug_token', { query: { input_token: accessToken } });
      const data = isRecord(answer['data']) ? answer['data'] : {};
      const appId = textOf(data['app_id']);
      if (data['is_valid'] !== true)
        return { problem: hasEnded(data) ? 'token_expired' : 'token_invalid', appId };
      const scopes: readonly unknown[] = Array.isArray(data['scopes']) ? data['scopes'] : permissions;
      const missing = permissions.filter((permission) => !scopes.includes(permission));
      const endsAt = endOf(data);
      if (missing.length > 0)
        return { problem: 'token_lacks_permission', detail: missing.join(', '), appId, endsAt };
      const isEnding = endsAt !== null && endsAt.getTime() - Date.now() < ENDS_SOON_MS;
      return isEnding
        ? { problem: 'token_ends_soon', detail: endsAt.toISOString(), appId, endsAt }
        : { problem: null, appId, endsAt };
    },
    // Whoever may not ask about a token may still have one that does its work: what it opens says so.
    ({ code }) => (code === '100' ? { problem: null } : null),
  );
}

function proveSecret(graph: GraphCalls, appId: string, appSecret: string): Promise<Found> {
  if (!sendable.test(appSecret)) return Promise.resolve({ problem: 'app_secret_wrong' });
  return ask(
    async () => {
      await graph.call('GET', pathSegment(appId), { query: { fields: 'id' } });
      return { problem: null };
    },
    ({ code, subcode }) => {
      if (code === '101' || subcode === '33' || code === '803') return { problem: 'app_unknown' };
      return code === '190' || code === '1' || code === '104' ? { problem: 'app_secret_wrong' } : null;
    },
  );
}

function proveAccount(graph: GraphCalls, id: string): Promise<Found & { name?: string | null }> {
  return ask(
    async () => {
      const node = await graph.call('GET', pathSegment(id), { query: { fields: 'id,name,timezone_id' } });
      return { problem: null, name: textOf(node['name']) };
    },
    (error) => (isNotThere(error) ? { problem: 'account_unknown' } : null),
  );
}

type NumberFound = Found & { displayName?: string; messagesPerSecond?: number | null };

/** With an account that is known, also whether the number is one of it. */
function proveNumber(graph: GraphCalls, id: string, accountId: string | null): Promise<NumberFound> {
  return ask(
    async () => {
      const node = await graph.call('GET', pathSegment(id), { query: { fields: numberFields } });
      const number = readPhoneNumber(node);
      if (accountId !== null && !(await hasNumber(graph, accountId, id)))
        return { problem: 'number_of_another_account', detail: number.displayPhoneNumber };
      const isRegistered = number.status === null || number.status === 'CONNECTED';
      return {
        problem: isRegistered ? null : 'number_not_registered',
        detail: isRegistered ? null : number.status,
        displayName: number.displayPhoneNumber,
        messagesPerSecond: number.throughputPerSecond,
      };
    },
    (error) => (isNotThere(error) ? { problem: 'number_unknown' } : null),
  );
}

async function hasNumber(graph: GraphCalls, accountId: string, id: string): Promise<boolean> {
  let after: string | null = null;
  for (let page = 0; page < 20; page += 1) {
    const query = { fields: 'id', limit: 100, ...(after !== null && { after }) };
    const answer: GraphAnswer = await graph.call('GET', `${pathSegment(accountId)}/phone_numbers`, { query });
    const numbers = readList(answer);
    if (numbers.some((number) => textOf(number['id']) === id)) return true;
    after = nextPage(answer);
    if (after === null) return false;
  }
  return false;
}

/** What is asked, or what the platform has against it: in general, unless `read` knows what it means here. */
async function ask<Answer extends Found>(
  call: () => Promise<Answer>,
  read: (error: ProviderRejected) => Found | null,
): Promise<Answer | Found> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderUnreachable) return { problem: 'platform_away' };
    if (!(error instanceof ProviderRejected)) throw error;
    return read(error) ?? judge(error);
  }
}

function judge({ code, subcode, httpStatus, retryable, title, details }: ProviderRejected): Found {
  if (code === '190' || code === '0' || code === '102')
    return { problem: subcode === '463' ? 'token_expired' : 'token_invalid' };
  if (code === '10' || code === '3' || code === '131005' || /^2\d\d$/.test(code))
    return { problem: 'token_lacks_permission', detail: details ?? title };
  if (retryable) return { problem: httpStatus >= 500 ? 'platform_away' : 'platform_busy' };
  return { problem: 'platform_refused', detail: details ?? title };
}

function isNotThere({ code, subcode, httpStatus }: ProviderRejected): boolean {
  return (
    httpStatus === 404 ||
    code === '803' ||
    (code === '100' && (subcode === undefined || NOT_THERE.has(subcode)))
  );
}

function hasEnded(data: Readonly<Record<string, unknown>>): boolean {
  const error = isRecord(data['error']) ? data['error'] : {};
  const endsAt = endOf(data);
  return textOf(error['subcode']) === '463' || (endsAt !== null && endsAt.getTime() < Date.now());
}

/** Of a token that never ends the platform says 0. */
function endOf(data: Readonly<Record<string, unknown>>): Date | null {
  const seconds = numberOf(data['expires_at']);
  return seconds !== null && seconds > 0 ? new Date(seconds * 1000) : null;
}

/** What says nothing about the value leaves it as it was. */
function stateOf(problem: ConnectionProblem | null): FieldCheck['state'] {
  if (problem === 'platform_away' || problem === 'platform_busy') return 'unproven';
  return problem === null ? 'right' : 'wrong';
}
