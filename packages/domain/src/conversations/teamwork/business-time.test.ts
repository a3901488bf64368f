import { describe, expect, test } from 'vitest';
import { addBusinessTime, businessTimeBetween, type BusinessHours } from './business-time.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const day = (from: string, to: string) => [{ from, to }];
const office: BusinessHours = {
  timeZone: 'Europe/Paris',
  days: [[], ...Array.from({ length: 5 }, () => day('09:00', '17:00')), []],
  exceptions: [{ day: '2026-12-25', hours: [] }],
};
const always: BusinessHours = {
  ...office,
  days: Array.from({ length: 7 }, () => day('00:00', '24:00')),
  exceptions: [],
};
/** Closed at noon, for half of Christmas Eve, and open on one Sunday. */
const shop: BusinessHours = {
  ...office,
  days: office.days.map((open) =>
    open.length > 0 ? [...day('09:00', '12:00'), ...day('14:00', '18:00')] : [],
  ),
  exceptions: [
    { day: '2026-12-24', hours: day('10:00', '12:00') },
    { day: '2026-12-20', hours: day('13:00', '24:00') },
  ],
};

describe('business time passes', () => {
  test.each([
    ['within a day', office, '2026-11-23T09:00+01:00', 2, '2026-11-23T11:00+01:00'],
    ['to the very end of a day', office, '2026-11-23T09:00+01:00', 8, '2026-11-23T17:00+01:00'],
    ['over the night', office, '2026-11-23T16:00+01:00', 2, '2026-11-24T10:00+01:00'],
    ['over the weekend', office, '2026-11-20T16:30+01:00', 1, '2026-11-23T09:30+01:00'],
    ['from before the opening on', office, '2026-11-23T03:00+01:00', 1, '2026-11-23T10:00+01:00'],
    ['from after the closing on', office, '2026-11-23T20:00+01:00', 1, '2026-11-24T10:00+01:00'],
    ['not on a holiday', office, '2026-12-24T16:00+01:00', 2, '2026-12-28T10:00+01:00'],
    // The clocks go forward: that Sunday has 23 hours.
    ['into summer time', always, '2026-03-28T12:00+01:00', 24, '2026-03-29T13:00+02:00'],
    // And back: this one has 25.
    ['into winter time', always, '2026-10-24T12:00+02:00', 24, '2026-10-25T11:00+01:00'],
    ['over the change of the clocks', office, '2026-10-23T16:00+02:00', 2, '2026-10-26T10:00+01:00'],
    ['over a break at noon', shop, '2026-11-23T11:00+01:00', 2, '2026-11-23T15:00+01:00'],
    ['from within a break on', shop, '2026-11-23T13:00+01:00', 1, '2026-11-23T15:00+01:00'],
    [
      'to the end of a span, and not into the break',
      shop,
      '2026-11-23T09:00+01:00',
      3,
      '2026-11-23T12:00+01:00',
    ],
    ['less on a day with other hours', shop, '2026-12-23T17:00+01:00', 4, '2026-12-25T10:00+01:00'],
    ['on a day that is open as an exception', shop, '2026-12-19T12:00+01:00', 11, '2026-12-21T00:00+01:00'],
    ['none at all', office, '2026-11-21T12:00+01:00', 0, '2026-11-23T09:00+01:00'],
  ])('%s', (_, hours, from, passed, until) => {
    expect(new Date(addBusinessTime(hours, at(from), passed * HOUR)!)).toEqual(new Date(until));
    expect(businessTimeBetween(hours, at(from), at(until))).toBe(passed * HOUR);
  });

  test('night and day without hours', () => {
    expect(addBusinessTime(null, 1_000, HOUR)).toBe(1_000 + HOUR);
    expect(businessTimeBetween(null, 1_000, 1_000 + HOUR)).toBe(HOUR);
  });

  test('never where the business never opens', () => {
    const closed = { ...office, days: Array.from({ length: 7 }, () => []) };
    expect(addBusinessTime(closed, at('2026-11-23T09:00Z'), 1)).toBeNull();
  });

  test('an opening that the clocks skip is an hour later, and ends as it says', () => {
    const early: BusinessHours = { ...always, days: Array.from({ length: 7 }, () => day('02:30', '04:00')) };
    const from = at('2026-03-29T00:00+01:00');
    expect(new Date(addBusinessTime(early, from, HOUR / 4)!)).toEqual(new Date('2026-03-29T03:45+02:00'));
  });

  test('of any span it is as long forth as it is back', () => {
    let seed = 7;
    const chance = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    for (let round = 0; round < 40; round += 1) {
      const from = at('2026-01-01T00:00Z') + Math.floor(chance() * 365 * 24) * HOUR;
      const passed = Math.floor(chance() * 60 * 60) * 60_000;
      const until = addBusinessTime(office, from, passed)!;
      expect(businessTimeBetween(office, from, until)).toBe(passed);
    }
  });
});
