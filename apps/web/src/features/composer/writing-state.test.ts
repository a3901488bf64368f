import { expect, test } from 'vitest';
import { findWritingBar, nextTick, shownLeft, windowLeft } from './writing-state.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const contact = { id: 'c', name: 'Ann', phone: '+14155552671', hasUserId: false, isBlocked: false, tags: [] };
const capabilities = { freeTextHours: 24, userIds: true } as never; // those that are asked
const channel = { connection: 'platform' as const, stopped: null, capabilities };
const conversation = { contact, windowEndsAt: '2026-11-22T13:00:00Z' };
const stopped = (blocks: 'everything' | 'campaigns') => ({ code: null, reason: 'x', blocks });

test.each([
  ['an open window', {}, {}, null],
  ['nobody who wrote', { windowEndsAt: null }, {}, 'window'],
  ['a window that is over', { windowEndsAt: '2026-11-22T12:00:00Z' }, {}, 'window'],
  ['a channel without an end', { windowEndsAt: null }, { capabilities: { freeTextHours: null } }, null],
  ['a contact who hides the number', { contact: { ...contact, phone: null, hasUserId: true } }, {}, null],
  [
    'a hidden number on a channel that knows nothing else',
    { contact: { ...contact, phone: null, hasUserId: true } },
    { capabilities: { freeTextHours: 24, userIds: false } },
    'no_number',
  ],
  ['a blocked contact', { contact: { ...contact, isBlocked: true, tags: [] } }, {}, 'blocked'],
  ['a contact without a number', { contact: { ...contact, phone: null } }, {}, 'no_number'],
  ['a stopped number', {}, { stopped: stopped('everything') }, 'stopped'],
  ['a number that sends no campaigns', {}, { stopped: stopped('campaigns') }, null],
  ['a number that is not connected', {}, { connection: 'none' }, 'no_channel'],
])('%s', (_, of, on, bar) => {
  const asked = {
    conversation: { ...conversation, ...of },
    channel: { ...channel, ...on } as typeof channel,
  };
  expect(findWritingBar(asked, now)).toBe(bar);
});

test('a channel that is not known yet bars nothing, and one that is gone does', () => {
  expect(findWritingBar({ conversation, channel: undefined }, now)).toBeNull();
  expect(findWritingBar({ conversation, channel: null }, now)).toBe('no_channel');
});

test('the time that is left counts down by the minute, and by the second at its end', () => {
  expect(windowLeft({ conversation, channel }, now)).toBe(3_600_000);
  expect([86_340_000, 7_200_000, 7_140_500, 119_500].map(shownLeft)).toEqual([
    82_800_000, 7_200_000, 7_140_000, 119_000,
  ]);
  expect([
    nextTick(3_600_000),
    nextTick(3_599_000),
    nextTick(120_500),
    nextTick(120_000),
    nextTick(1_500),
  ]).toEqual([60_000, 59_000, 500, 1_000, 500]);
});
