import { expect, test } from 'vitest';
import { chargeOf, isFree, monthAt, usageLevel } from './budget.ts';
import { defaultPriceList } from './price-list.ts';

test.each([
  ['2026-11-22T12:00:00Z', 'UTC', '2026-11-01', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  [
    '2026-12-31T23:30:00Z',
    'Europe/Berlin',
    '2027-01-01',
    '2026-12-31T23:00:00.000Z',
    '2027-01-31T23:00:00.000Z',
  ],
  [
    '2027-01-01T03:00:00Z',
    'America/New_York',
    '2026-12-01',
    '2026-12-01T05:00:00.000Z',
    '2027-01-01T05:00:00.000Z',
  ],
  // The clocks change within the month.
  [
    '2026-10-10T00:00:00Z',
    'Europe/Berlin',
    '2026-10-01',
    '2026-09-30T22:00:00.000Z',
    '2026-10-31T23:00:00.000Z',
  ],
])('the month of %s in %s is %s, from %s until %s', (now, zone, month, began, next) => {
  const found = monthAt(Date.parse(now), zone);
  expect([
    found.month,
    new Date(found.beganAt).toISOString(),
    new Date(found.nextMonthAt).toISOString(),
  ]).toEqual([month, began, next]);
});

test.each([
  ['a flat price', {}, '+491701', 'marketing', 50_000],
  ['the price of a country', { priceList: defaultPriceList }, '+491701', 'marketing', 136_500],
  ['an answer', { priceList: defaultPriceList }, '+491701', 'service', 0],
  ['an answer at a flat price', {}, '+491701', 'service', 0],
] as const)('%s', (_, pricing, number, category, charge) => {
  expect(chargeOf(pricing, number, category)).toBe(charge);
});

test.each([
  [0, 'fine'],
  [79, 'fine'],
  [80, 'near'],
  [99, 'near'],
  [100, 'full'],
  [140, 'full'],
] as const)('%i of 100 is %s', (used, level) => {
  expect(usageLevel(used, 100)).toBe(level);
});

test('the type of a price says more than whether it is billable', () => {
  expect(isFree({ type: 'regular', billable: false })).toBe(false);
  expect(isFree({ type: 'free_entry_point', billable: true })).toBe(true);
  expect(isFree({ type: null, billable: false })).toBe(true);
  expect([isFree({ type: null, billable: null }), isFree(null)]).toEqual([false, false]);
});
