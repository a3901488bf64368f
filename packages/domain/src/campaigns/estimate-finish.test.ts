import { describe, expect, it } from 'vitest';
import { estimateFinish, type SendingPace } from './estimate-finish.ts';

const night = { from: '21:00', to: '09:00', timeZone: 'UTC' };
const unlimited: SendingPace = { perSecond: 10, perMinute: null, perDay: null, quietHours: null };

const cases: [string, number, Partial<SendingPace>, string | null][] = [
  ['the rate alone', 600, {}, '2026-03-10T12:01:00Z'],
  ['a limit for each minute', 600, { perMinute: 60 }, '2026-03-10T12:10:00Z'],
  ['a rate below that limit', 600, { perSecond: 0.5, perMinute: 60 }, '2026-03-10T12:20:00Z'],
  ['quiet hours that come later', 36_000, { perSecond: 1, quietHours: night }, '2026-03-11T10:00:00Z'],
  ['two nights', 90_000, { perSecond: 1, quietHours: night }, '2026-03-12T13:00:00Z'],
  ['a day that has enough left', 600, { perDay: { limit: 1_000, leftToday: 600 } }, '2026-03-10T12:01:00Z'],
  ['a day that is used up', 600, { perDay: { limit: 1_000, leftToday: 0 } }, '2026-03-11T00:01:00Z'],
  ['several days', 2_600, { perDay: { limit: 1_000, leftToday: 1_000 } }, '2026-03-12T00:01:00Z'],
  [
    'a day whose first hours are quiet',
    1_600,
    { perDay: { limit: 1_000, leftToday: 1_000 }, quietHours: night },
    '2026-03-11T09:01:00Z',
  ],
  ['no rate', 600, { perSecond: 0 }, null],
  ['a day that takes none', 600, { perDay: { limit: 0, leftToday: 0 } }, null],
  ['longer than anybody plans', 1_000_000, { perDay: { limit: 1, leftToday: 1 } }, null],
];

describe('when the last message leaves', () => {
  it.each(cases)('%s', (_, count, pace, expected) => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    const finish = estimateFinish(count, now, { ...unlimited, ...pace });
    expect(finish === null ? null : Math.round(finish / 1000)).toBe(expected && Date.parse(expected) / 1000);
  });

  it('waits for the end of the quiet that holds', () => {
    const now = Date.parse('2026-03-10T22:00:00Z');
    expect(estimateFinish(600, now, { ...unlimited, quietHours: night })).toBe(
      Date.parse('2026-03-11T09:01:00Z'),
    );
  });
});
