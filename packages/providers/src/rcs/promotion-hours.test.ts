import { expect, test } from 'vitest';
import { untilPromotionAllowed } from './promotion-hours.ts';

const HOUR = 3_600_000;
test.each([
  ['in the morning in India', '+919876543210', '2026-03-10T06:30:00Z', 0],
  ['from seven on', '+919876543210', '2026-03-10T01:30:00Z', 0],
  ['a minute before seven', '+919876543210', '2026-03-10T01:29:00Z', 60_000],
  ['until ten', '+919876543210', '2026-03-10T16:29:59Z', 0],
  ['at ten in the evening', '+919876543210', '2026-03-10T16:30:00Z', 9 * HOUR],
  ['at midnight in India', '+919876543210', '2026-03-10T18:30:00Z', 7 * HOUR],
  ['at night elsewhere', '+447700900123', '2026-03-10T23:30:00Z', 0],
])('a promotional message %s', (_, phone, at, wait) => {
  expect(untilPromotionAllowed(phone, Date.parse(at))).toBe(wait);
});
