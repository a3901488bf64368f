import { expect, test } from 'vitest';
import { addDays, bucketOf, chooseBucket, dayIn, daysBetween, listBuckets } from './report-period.ts';

test.each([
  ['2026-03-29', 'day', '2026-03-29'],
  ['2026-03-29', 'week', '2026-03-23'],
  ['2026-03-30', 'week', '2026-03-30'],
  ['2027-01-02', 'week', '2026-12-28'],
  ['2024-02-29', 'month', '2024-02-01'],
] as const)('%s is in the %s of %s', (date, bucket, first) => {
  expect(bucketOf(date, bucket)).toBe(first);
});

test('a period counts both of its days, also over nights when clocks change', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(3);
  expect(daysBetween('2026-10-25', '2026-10-25')).toBe(1);
  expect(daysBetween('2026-10-26', '2026-10-25')).toBe(0);
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
});

test.each([
  ['Asia/Kolkata', '2026-03-01T18:30:00Z', '2026-03-02'],
  ['Asia/Kathmandu', '2026-03-01T18:14:59Z', '2026-03-01'],
  ['America/St_Johns', '2026-03-01T03:29:00Z', '2026-02-28'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
])('in %s it is, at %s, the day %s', (zone, at, day) => {
  expect(dayIn(zone, Date.parse(at))).toBe(day);
});

test('every bucket of a period is there, and a chart has about a hundred at most', () => {
  expect(listBuckets('2026-01-30', '2026-02-10', 'week')).toEqual(['2026-01-26', '2026-02-02', '2026-02-09']);
  expect(listBuckets('2026-01-30', '2026-02-01', 'day')).toEqual(['2026-01-30', '2026-01-31', '2026-02-01']);
  expect(listBuckets('2016-01-01', '2025-12-31', chooseBucket(3_653))).toHaveLength(120);
  expect([7, 30, 90, 365, 3_653].map(chooseBucket)).toEqual(['day', 'day', 'day', 'week', 'month']);
});
