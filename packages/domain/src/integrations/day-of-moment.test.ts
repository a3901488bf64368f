import { expect, test } from 'vitest';
import { dayOfMoment, momentOfDay } from './day-of-moment.ts';

test.each<[string, string, string | undefined]>([
  ['2026-11-21T23:30:00Z', 'Europe/Berlin', '2026-11-22'],
  ['2026-11-21T23:30:00Z', 'UTC', '2026-11-21'],
  ['2026-11-21T03:30:00.000+0000', 'America/New_York', '2026-11-20'],
  ['2026-11-21T23:30:00.125-05:00', 'Asia/Tokyo', '2026-11-22'],
  ['2026-11-21 23:30 UTC', 'Asia/Tokyo', '2026-11-22'],
  ['2026-11-21 23:30', 'Asia/Tokyo', '2026-11-21'],
  ['21.11.2026 23:30', 'Asia/Tokyo', '2026-11-21'],
  // Which day is meant nobody knows.
  ['03/02/2026 23:30', 'UTC', undefined],
  ['2026-02-30T23:30:00Z', 'UTC', undefined],
  ['2026-11-21T25:00:00Z', 'UTC', undefined],
  ['2026-11-21', 'UTC', undefined],
  ['soon', 'UTC', undefined],
])('%s is on the clocks of %s on %s', (text, zone, day) => {
  expect(dayOfMoment(text, zone)).toBe(day);
});

test.each([
  ['2026-11-21', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2026-06-21', 'America/New_York', '2026-06-21T04:00:00.000Z'],
  // The clocks skip midnight there on that day.
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
])('%s begins in %s at %s, and is read back as the same day', (day, zone, moment) => {
  expect(momentOfDay(day, zone)).toBe(moment);
  expect(dayOfMoment(moment, zone)).toBe(day);
});
