import { describe, expect, test } from 'vitest';
import {
  answersByItself,
  answerToConsent,
  defaultMessagingSettings,
  isAutoAnswered,
  readMessagingSettings,
  type AutoReply,
  type ToAnswer,
} from './messaging-settings.ts';

const HOUR = 3_600_000;
/** A Monday, ten o’clock in the morning. */
const MONDAY = Date.parse('2026-11-23T10:00:00Z');
const office = {
  timeZone: 'UTC',
  days: [[], ...Array.from({ length: 5 }, () => [{ from: '09:00', to: '17:00' }]), []],
  exceptions: [{ day: '2026-12-25', hours: [] }],
};
const always: AutoReply = { isEnabled: true, message: 'We are away.', when: 'always', pauseHours: 12 };
const hello: ToAnswer = {
  ...{ writtenAt: MONDAY, text: 'Hello', isFirst: false, consent: null, isOwnNumber: false },
  ...{ answeredAt: null, repliesInDay: 0 },
};
const isAnswered = (reply: Partial<AutoReply>, message: Partial<ToAnswer>, later = 1_000) => {
  const asked = { ...hello, ...message };
  return isAutoAnswered({ autoReply: { ...always, ...reply } }, office, asked, asked.writtenAt + later);
};

describe('a message is answered automatically', () => {
  test.each<[string, boolean, Partial<AutoReply>, Partial<ToAnswer>]>([
    ['always', true, {}, {}],
    ['but for what is switched off', false, { isEnabled: false }, {}],
    ['but for no words', false, { message: ' ' }, {}],
    ['the first one', true, { when: 'first_message' }, { isFirst: true }],
    ['but for a later one', false, { when: 'first_message' }, {}],
    ['not within business hours', false, { when: 'outside_hours' }, {}],
    ['before they open', true, { when: 'outside_hours' }, { writtenAt: MONDAY - 2 * HOUR }],
    ['as they close', true, { when: 'outside_hours' }, { writtenAt: MONDAY + 7 * HOUR }],
    ['a moment before', false, { when: 'outside_hours' }, { writtenAt: MONDAY + 7 * HOUR - 1 }],
    ['on a Sunday', true, { when: 'outside_hours' }, { writtenAt: MONDAY - 24 * HOUR }],
    ['on a holiday', true, { when: 'outside_hours' }, { writtenAt: Date.parse('2026-12-25T10:00:00Z') }],
    ['not while somebody talks with them', false, {}, { answeredAt: MONDAY - HOUR }],
    ['but again after the pause', true, {}, { answeredAt: MONDAY - 12 * HOUR }],
    ['not where somebody was quicker', false, { pauseHours: 0 }, { answeredAt: MONDAY + 500 }],
    ['not to a word about consent', false, {}, { consent: { kind: 'stop', language: 'en' } }],
    ['not to ourselves', false, {}, { isOwnNumber: true }],
    ['not to our own words', false, {}, { text: ' we are  AWAY. ' }],
    ['not to a machine that goes on', false, { pauseHours: 0 }, { repliesInDay: 3 }],
  ])('%s: %s', (_, expected, reply, message) => {
    expect(isAnswered(reply, message)).toBe(expected);
  });

  test('not when it comes late', () => {
    expect(isAnswered({}, {}, HOUR)).toBe(false);
  });

  test('never outside of hours that nobody has set', () => {
    const { autoReply } = defaultMessagingSettings;
    expect(isAutoAnswered({ autoReply }, null, hello, MONDAY)).toBe(false);
  });
});

test('a word about consent is answered in its language, where there is an answer', () => {
  const none = { en: '', es: '', fr: '', de: '', pt: '' };
  const settings = {
    consentAnswers: { stop: { ...none, de: 'Sie erhalten keine Werbung mehr.' }, start: none },
  };
  const answer = (consent: ToAnswer['consent'], more: Partial<ToAnswer> = {}) =>
    answerToConsent(settings, { ...hello, consent, ...more }, MONDAY + 1_000);
  expect(answer({ kind: 'stop', language: 'de' })).toBe('Sie erhalten keine Werbung mehr.');
  expect(answer({ kind: 'stop', language: 'en' })).toBeNull();
  expect(answer({ kind: 'start', language: 'de' })).toBeNull();
  expect(answer(null)).toBeNull();
  expect(answer({ kind: 'stop', language: 'de' }, { repliesInDay: 3 })).toBeNull();
});

test.each<[string, boolean, Partial<AutoReply>, boolean, string]>([
  ['as it comes with the product', false, {}, false, ''],
  ['with business hours', true, {}, true, ''],
  ['always', true, { when: 'always' }, false, ''],
  ['switched off', false, { when: 'always', isEnabled: false }, true, ' '],
  ['with an answer to an opt-out', true, { isEnabled: false }, false, 'No more.'],
])('a workspace answers by itself %s: %s', (_, expected, change, hasHours, answer) => {
  const { autoReply, consentAnswers } = defaultMessagingSettings;
  const settings = {
    autoReply: { ...autoReply, ...change },
    consentAnswers: { ...consentAnswers, stop: { ...consentAnswers.stop, fr: answer } },
  };
  expect(answersByItself(settings, hasHours ? office : null)).toBe(expected);
});

test('what was not saved yet has its default', () => {
  expect(readMessagingSettings({ businessName: 'Acme' })).toEqual(defaultMessagingSettings);
  const messageLimits = { isEnabled: true, perMinute: 5, perDay: 50 };
  expect(readMessagingSettings({ messageLimits })).toEqual({ ...defaultMessagingSettings, messageLimits });
});
