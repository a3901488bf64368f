import type { CallOutcome } from '@app/domain/network/outgoing-calls';
import { expect, test } from 'vitest';
import { outcomeOfSend } from '../../src/calls/send-event.ts';

const answer = (status: number, text: string): CallOutcome => {
  const body = new TextEncoder().encode(text);
  const response = {
    ...{ status, headers: {}, body, isComplete: true },
    text: () => text,
    json: (): unknown => undefined,
  };
  const took = { attempts: 1, durationMs: 5 };
  return status < 300
    ? { outcome: 'ok', response, ...took }
    : { outcome: 'rejected', response, reason: 'status', retryAfterMs: null, ...took };
};

test.each([
  [200, '{"status":"success"}', { outcome: 'sent' }],
  [204, '', { outcome: 'sent' }],
  // Such as the page of a proxy, or of a login: the service did not answer.
  [
    200,
    ' <!doctype html><h1>Sign in</h1>',
    { outcome: 'failed', problem: 'response_unreadable', detail: null, isUnknown: true },
  ],
  [
    502,
    '<h1>Bad Gateway</h1>',
    { outcome: 'failed', problem: 'service_away', detail: null, isUnknown: true },
  ],
  [503, 'later', { outcome: 'failed', problem: 'service_away', isUnknown: false }],
  [422, '{"message":"No such event"}', { outcome: 'refused', detail: 'No such event' }],
  [404, '{"error":"gone"}', { outcome: 'failed', problem: 'account_unknown', detail: 'gone' }],
])('an answer %i %s to an event is read', (status, text, outcome) => {
  expect(outcomeOfSend(answer(status, text))).toMatchObject(outcome);
});
