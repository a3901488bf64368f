import { describe, expect, test } from 'vitest';
import { defaultBotSettings } from '../bot-settings.ts';
import { expectedWait, roundWait, waitText } from './expected-wait.ts';

const MINUTE = 60_000;
const minutes = (...all: number[]) => all.map((one) => one * MINUTE);
/** Mondays from 9 to 17. */
const hours = {
  ...{ timeZone: 'UTC', exceptions: [] },
  days: [[], [{ from: '09:00', to: '17:00' }], [], [], [], [], []],
};
const monday = Date.parse('2026-11-30T16:50:00Z');

describe('the expected wait', () => {
  test.each<[string, number[], typeof hours | null, number | null]>([
    ['is the median', minutes(1, 2, 4, 30, 500), null, 4],
    ['is not known from a few answers', minutes(1, 2, 3, 4), null, null],
    ['ends within business hours', minutes(5, 5, 5, 5, 5), hours, 5],
    ['is not told where the business opens in a week', minutes(20, 20, 20, 20, 20), hours, null],
  ])('%s', (_, answered, open, wait) =>
    expect(expectedWait(answered, open, monday)).toBe(wait === null ? null : wait * MINUTE),
  );
});

test.each([
  [1, 1, 'minute'],
  [4 * MINUTE, 5, 'minute'],
  [46 * MINUTE, 1, 'hour'],
  [61 * MINUTE, 2, 'hour'],
  [24 * 60 * MINUTE, 1, 'day'],
  [25 * 60 * MINUTE, 2, 'day'],
])('%i ms are told as %i %s', (ms, n, unit) => expect(roundWait(ms)).toEqual({ n, unit }));

describe('the sentence about it', () => {
  const settings = { ...defaultBotSettings };
  test.each([
    ['en', 'We usually answer within 5 minutes.'],
    ['de', 'Die Antwort dauert meist etwa 5 Minuten.'],
    ['fr', 'Nous répondons en général en 5 minutes.'],
  ] as const)('is in the language of the customer: %s', (language, text) =>
    expect(waitText(settings, 4 * MINUTE, language)).toBe(text),
  );
  test('has the words of the settings, or is left out', () => {
    const own = { ...settings, waitingMessage: 'Please wait {{time}}.' };
    expect(waitText(own, MINUTE, 'en')).toBe('Please wait 1 minute.');
    expect(waitText({ ...settings, tellsWaitingTime: false }, MINUTE, 'en')).toBeNull();
    expect(waitText(settings, null, 'en')).toBeNull();
  });
});
