import { describe, expect, test } from 'vitest';
import type { CallOutcome, CallResult } from '../network/outgoing-calls.ts';
import { indexConnectorKinds, problemOfCall, type ConnectorKind } from './connector-kind.ts';

const kind = (name: string, fields: string[] = []): ConnectorKind => ({
  ...{ name, title: name, category: 'crm', type: null, features: [], limit: {} },
  credentials: {
    version: 1,
    fields: fields.map((field) => ({ name: field, label: field, isSecret: true, format: 'text' })),
  },
  open: () => ({ check: async () => ({ state: 'healthy', account: null }) }),
});

describe('the registry', () => {
  test('finds kinds by name, in their order', () => {
    const kinds = indexConnectorKinds([kind('first'), kind('google_analytics')]);
    expect(kinds.all.map(({ name }) => name)).toEqual(['first', 'google_analytics']);
    expect(kinds.find('first')?.name).toBe('first');
    expect(kinds.find('toString')).toBeUndefined();
    expect(() => kinds.of({ kind: 'gone' })).toThrow('There is no connector called "gone".');
  });

  test.each([
    [[kind('a'), kind('a')], 'Two connectors are called "a".'],
    [[kind('a/b')], '"a/b" cannot name a connector.'],
    [[kind('A')], '"A" cannot name a connector.'],
    [[kind('a', ['key', 'key'])], '"a" has two fields of one name.'],
  ])('refuses what would not be found again', (kinds, message) => {
    expect(() => indexConnectorKinds(kinds)).toThrow(message);
  });
});

const outcome = (result: CallResult): CallOutcome => ({ ...result, attempts: 1, durationMs: 1 });
const answer = (status: number) =>
  outcome({
    ...{ outcome: 'rejected', reason: 'status', retryAfterMs: null },
    response: {
      ...{ status, headers: {}, body: new Uint8Array(), isComplete: true },
      ...{ text: () => '', json: () => undefined },
    },
  });

test.each([
  [answer(401), 'credentials_wrong'],
  [answer(403), 'permission_missing'],
  [answer(404), 'account_unknown'],
  [answer(429), 'service_busy'],
  [answer(500), 'service_away'],
  [answer(408), 'service_away'],
  [answer(422), 'service_rejected'],
  [outcome({ outcome: 'unknown', reason: 'response_timeout' }), 'service_away'],
  [outcome({ outcome: 'not_sent', reason: 'dns', retryAfterMs: null }), 'service_away'],
  [outcome({ outcome: 'not_sent', reason: 'rate_limited', retryAfterMs: 1 }), 'service_busy'],
  [outcome({ outcome: 'not_sent', reason: 'address_refused', retryAfterMs: null }), 'address_refused'],
])('a call that went wrong is a problem with a next step', (call, problem) => {
  expect(problemOfCall(call)).toBe(problem);
});
