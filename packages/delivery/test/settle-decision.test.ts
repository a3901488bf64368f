import { expect, test } from 'vitest';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type { RejectionAction } from '@app/domain/messaging/rejection';
import { lowerRate, raiseRate, ratePerSecond } from '../src/core/adaptive-rate.ts';
import { guardRecipient } from '../src/core/guard-recipient.ts';
import { decideSettlement } from '../src/core/settle-decision.ts';
import { mostInFlight, noteAnswer, noteTrouble, noTrouble, type Trouble } from '../src/core/trouble.ts';

const now = 1_000_000;

function decide(result: SendResult, attempt = 1) {
  return decideSettlement(result, { attempt, now, jitter: 1 });
}

function refused(action: RejectionAction): SendResult {
  return { outcome: 'refused', error: { code: '1', title: 'Title' }, action };
}

test.each<[string, SendResult, number, object]>([
  ['an answer accepts', { outcome: 'accepted', providerMessageId: 'm' }, 1, { to: 'accepted' }],
  [
    'a lost answer is never sent again',
    { outcome: 'unknown', reason: 'connection_lost' },
    1,
    { to: 'unknown' },
  ],
  [
    'a server error is never sent again',
    { outcome: 'unknown', reason: 'server_error' },
    1,
    { to: 'unknown' },
  ],
  ['what never left goes back', { outcome: 'not_sent', reason: 'connect_refused' }, 1, { to: 'released' }],
  ['impossible content is refused', { outcome: 'not_sent', reason: 'invalid_message' }, 1, { to: 'refused' }],
  ['a final refusal', refused({ kind: 'fail' }), 1, { to: 'refused', code: '1', detail: 'Title' }],
  [
    'a retry waits',
    refused({ kind: 'retry', maxAttempts: 3, pauses: 'recipient' }),
    1,
    { to: 'waiting', notBefore: now + 1_000 },
  ],
  [
    'the last retry is refused',
    refused({ kind: 'retry', maxAttempts: 3, pauses: 'recipient' }),
    3,
    { to: 'refused' },
  ],
  [
    'the pair limit holds one recipient',
    refused({ kind: 'retry_pair', baseSeconds: 4 }),
    2,
    { to: 'waiting', notBefore: now + 4_000 },
  ],
  [
    'a stopped channel keeps its recipient',
    refused({ kind: 'stop_channel', blocks: 'everything' }),
    1,
    { to: 'waiting' },
  ],
  [
    'a stopped campaign may fail its recipient',
    refused({ kind: 'stop_campaign', recipient: 'failed' }),
    1,
    { to: 'refused' },
  ],
])('%s', (_name, result, attempt, settlement) => {
  expect(decide(result, attempt).settlement).toMatchObject(settlement);
});

test('a platform that answers nothing is left alone for ever longer, and tried with two messages', () => {
  let state: Trouble = noTrouble;
  const holds: number[] = [];
  let at = now;
  for (let result = 0; result < 30; result += 1) {
    const noted = noteTrouble(state, at, at);
    state = noted.trouble;
    if (noted.holdMs === null) continue;
    holds.push(noted.holdMs);
    // Those that were in flight already prove nothing more.
    expect(noteTrouble(state, at, at + 10).trouble).toBe(state);
    at += noted.holdMs;
  }
  expect(holds.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(mostInFlight(state, 64)).toBe(2);
  expect(mostInFlight(noteAnswer(state), 64)).toBe(64);
});

test('a complaint lowers the rate at once and at most once per wave, quiet time raises it to full speed again', () => {
  let rate = lowerRate({ fullPerSecond: 80, loweredTo: null, changedAt: 0 }, now);
  expect(ratePerSecond(rate)).toBe(60);
  expect(lowerRate(rate, now + 500)).toBe(rate);
  expect(raiseRate(rate, now + 4_000)).toBe(rate);
  for (let at = now; at < now + 60_000; at += 1_000) rate = raiseRate(rate, at);
  expect(ratePerSecond(rate)).toBe(80);
});

test.each([
  ['deleted', null, 'marketing', 'contact_deleted'],
  ['blocked', { status: 'blocked' }, 'utility', 'blocked'],
  ['opted out', { optedOutAt: new Date(0) }, 'marketing', 'opted_out'],
  ['opted out of marketing only', { optedOutAt: new Date(0) }, 'utility', null],
  ['held', { heldUntil: new Date(now + 1) }, 'marketing', 'held'],
  ['hold is over', { heldUntil: new Date(now) }, 'marketing', null],
  ['has had enough', { marketingInWeek: 3 }, 'marketing', 'capped'],
  ['may get one more', { marketingInWeek: 2 }, 'marketing', null],
  ['has had what their country allows', { promotions: 2 }, 'marketing', 'promotions_capped'],
  ['has not', { promotions: 1 }, 'marketing', null],
  ['has had enough marketing only', { marketingInWeek: 3 }, 'utility', null],
  ['window closed', { windowExpiresAt: null }, 'service', 'window_closed'],
  ['window about to close', { windowExpiresAt: new Date(now + 59_000) }, 'service', 'window_closed'],
  ['window open', { windowExpiresAt: new Date(now + 3_600_000) }, 'service', null],
] as const)('a recipient who is %s', (_name, facts, category, reason) => {
  const contact = facts && {
    status: 'active',
    optedOutAt: null,
    windowExpiresAt: null,
    heldUntil: null,
    marketingInWeek: 0,
    promotions: 0,
    ...facts,
  };
  expect(guardRecipient(contact, category, now, { marketingPerWeek: 3, mostPromotions: 2 })).toBe(reason);
});
