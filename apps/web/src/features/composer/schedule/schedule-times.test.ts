import { expect, test } from 'vitest';
import { quickTimes } from './schedule-times.ts';

const shown = (now: string, zone: string) =>
  quickTimes(new Date(now), zone).map(({ name, at }) => `${name} ${at.toISOString().slice(0, 16)}`);

test.each([
  [
    'on a Wednesday at noon',
    '2026-11-25T11:00:00Z',
    'Europe/Berlin',
    [
      'hour 2026-11-25T12:00',
      'evening 2026-11-25T17:00',
      'tomorrow 2026-11-26T08:00',
      'monday 2026-11-30T08:00',
    ],
  ],
  [
    'late in the evening',
    '2026-11-25T21:30:00Z',
    'UTC',
    ['hour 2026-11-25T22:30', 'tomorrow 2026-11-26T09:00', 'monday 2026-11-30T09:00'],
  ],
  [
    'on a Sunday, tomorrow is Monday',
    '2026-11-22T08:00:00Z',
    'UTC',
    ['hour 2026-11-22T09:00', 'evening 2026-11-22T18:00', 'tomorrow 2026-11-23T09:00'],
  ],
  [
    'on a Monday, the next one',
    '2026-11-23T20:00:00Z',
    'UTC',
    ['hour 2026-11-23T21:00', 'tomorrow 2026-11-24T09:00', 'monday 2026-11-30T09:00'],
  ],
  [
    'where it is the next day already',
    '2026-11-25T20:00:00Z',
    'Pacific/Auckland',
    [
      'hour 2026-11-25T21:00',
      'evening 2026-11-26T05:00',
      'tomorrow 2026-11-26T20:00',
      'monday 2026-11-29T20:00',
    ],
  ],
])('%s', (_, now, zone, times) => expect(shown(now, zone)).toEqual(times));
