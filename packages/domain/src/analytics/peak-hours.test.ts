import { expect, test } from 'vitest';
import { findPeakHours } from './peak-hours.ts';

const day = (high: Record<number, number>, low = 1) =>
  Array.from({ length: 24 }, (_, hour) => high[hour] ?? low);

test.each([
  ['an afternoon', day({ 12: 20, 13: 22, 14: 25, 15: 24, 16: 21, 17: 19 }), { from: 12, to: 18 }],
  ['the larger of two', day({ 8: 30, 9: 30, 19: 20, 20: 30, 21: 30 }), { from: 19, to: 22 }],
  ['over midnight', day({ 23: 30, 0: 30, 1: 30 }), { from: 23, to: 2 }],
  ['the last hours of a day', day({ 22: 30, 23: 30 }), { from: 22, to: 24 }],
  ['one hour', day({ 7: 40 }, 0), { from: 7, to: 8 }],
  ['too few reads', day({ 12: 19 }, 0), null],
  ['every hour alike', day({}, 9), null],
])('%s', (_, reads, peak) => {
  expect(findPeakHours(reads)).toEqual(peak);
});
