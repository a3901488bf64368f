import { describe, expect, test } from 'vitest';
import { guardMessage, type MessageToGuard } from './guard-message.ts';
import type { StopScope } from '../messaging/rejection.ts';
import { shownState } from './message-state.ts';
import { formatMessageTag, parseMessageTag } from './message-tag.ts';
import { cleanLabels } from './conversation-status.ts';

const NOW = 1_000_000;
const person = { isThere: true, isBlocked: false, hasNumber: true, isOptedOut: false, heldUntil: null };
const channel = { isConnected: true, stoppedFor: null, hasWindow: true };
const stoppedFor = (scope: StopScope) => ({ ...channel, stoppedFor: scope });
const reply: MessageToGuard = {
  ...{
    purpose: 'reply',
    isTemplate: false,
    isMarketing: false,
    contact: person,
    windowEndsAt: NOW + 1,
    channel,
  },
};
const template: MessageToGuard = { ...reply, isTemplate: true, windowEndsAt: null };
const marketing: MessageToGuard = { ...template, isMarketing: true };

describe('a single message', () => {
  test.each<[what: string, message: MessageToGuard, refusal: ReturnType<typeof guardMessage>]>([
    ['within the window', reply, null],
    ['at the end of the window', { ...reply, windowEndsAt: NOW }, 'window_closed'],
    ['to somebody who never wrote', { ...reply, windowEndsAt: null }, 'window_closed'],
    [
      'through a channel without a window',
      { ...reply, windowEndsAt: null, channel: { ...channel, hasWindow: false } },
      null,
    ],
    ['as a template, at any time', template, null],
    [
      'to somebody who is blocked',
      { ...template, contact: { ...person, isBlocked: true } },
      'contact_blocked',
    ],
    [
      'to somebody without a number',
      { ...template, contact: { ...person, hasNumber: false } },
      'contact_has_no_number',
    ],
    ['to nobody', { ...template, contact: null }, 'contact_not_found'],
    ['to somebody who opted out', { ...template, contact: { ...person, isOptedOut: true } }, null],
    [
      'unasked to a contact who opted out',
      { ...reply, isUnasked: true, contact: { ...person, isOptedOut: true } },
      'contact_opted_out',
    ],
    [
      'unasked as a template that is no marketing',
      { ...template, isUnasked: true, contact: { ...person, isOptedOut: true } },
      null,
    ],
    ['unasked to others', { ...reply, isUnasked: true }, null],
    [
      'marketing to a contact who opted out',
      { ...marketing, contact: { ...person, isOptedOut: true } },
      'contact_opted_out',
    ],
    [
      'marketing to whoever is spared',
      { ...marketing, contact: { ...person, heldUntil: NOW + 1 } },
      'contact_held',
    ],
    ['marketing to whoever was spared', { ...marketing, contact: { ...person, heldUntil: NOW } }, null],
    ['through a stopped channel', { ...reply, channel: stoppedFor('everything') }, 'channel_stopped'],
    ['that answers, while campaigns are stopped', { ...reply, channel: stoppedFor('campaigns') }, null],
    [
      'that answers too late, while campaigns are stopped',
      { ...reply, windowEndsAt: NOW, channel: stoppedFor('campaigns') },
      'window_closed',
    ],
    [
      'as a template to somebody who wrote, while campaigns are stopped',
      { ...template, windowEndsAt: NOW + 1, channel: stoppedFor('campaigns') },
      null,
    ],
    [
      'as a template that begins, while campaigns are stopped',
      { ...template, channel: stoppedFor('campaigns') },
      'channel_stopped',
    ],
    [
      'marketing to somebody who wrote, while campaigns are stopped',
      { ...marketing, windowEndsAt: NOW + 1, channel: stoppedFor('campaigns') },
      'channel_stopped',
    ],
    [
      'through none',
      { ...reply, channel: { ...stoppedFor('everything'), isConnected: false } },
      'channel_not_connected',
    ],
    [
      'that tests a stopped channel',
      { ...reply, purpose: 'test', contact: null, channel: stoppedFor('everything') },
      null,
    ],
  ])('%s', (_, message, refusal) => expect(guardMessage(message, NOW)).toBe(refusal));
});

describe('states of a message', () => {
  test.each([
    ['queued', {}, 'queued'],
    ['accepted', {}, 'sent'],
    ['accepted', { sent: 1, read: 2 }, 'read'],
    ['accepted', { failed: 2, sent: 1 }, 'failed'],
    ['accepted', { failed: 2, delivered: 3 }, 'delivered'],
    ['refused', {}, 'failed'],
    ['cancelled', { failed: 1 }, 'cancelled'],
    ['unknown', {}, 'unknown'],
    [null, { read: 1 }, 'read'],
    [null, {}, 'sent'],
  ] as const)('%s with %o is shown as %s', (state, times, shown) =>
    expect(shownState(state, times)).toBe(shown),
  );
});

test.each([1, 35, 36, 2 ** 40])('tag of message %i comes back as it was', (no) => {
  expect(parseMessageTag(formatMessageTag({ no, attempt: 3 }))).toEqual({ no, attempt: 3 });
});

test.each(['', 'test', 'd1.1.2.3', 'm1.1', 'm1.A.1', 'm1.1.1.1', 'm1.zzzzzzzzzzz.1', 'm1.1.zzzz'])(
  'a tag %j is no message’s',
  (tag) => expect(parseMessageTag(tag)).toBeNull(),
);

test('labels are kept once, without blanks around them', () => {
  expect(cleanLabels([' vip ', 'VIP', '', 'new   customer'])).toEqual(['vip', 'new customer']);
});
