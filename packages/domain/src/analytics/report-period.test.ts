import { expect, test } from 'vitest';
import {
  addDays,
  bucketOf,
  chooseBucket,
  dayIn,
  daysBetween,
  daysOfBucket,
  isReportDay,
  listBuckets,
  periodBefore,
} from './report-period.ts';

test.each([
  ['2026-03-29', 'day', '2026-03-29'],
  ['2026-03-29', 'week', '2026-03-23'],
  ['2026-03-30', 'week', '2026-03-30'],
  ['2027-01-02', 'week', '2026-12-28'],
  ['2024-02-29', 'month', '2024-02-01'],
] as const)('%s is in the %s of %s', (date, bucket, first) => {
  expect(bucketOf(date, bucket)).toBe(first);
});

test.each([
  ['2026-03-29', 0, '2026-03-29'],
  ['2026-03-28', 0, '2026-03-22'],
  ['2026-03-29', 6, '2026-03-28'],
  ['2026-03-28', 6, '2026-03-28'],
  ['1969-12-31', 6, '1969-12-27'],
] as const)('%s is, where weeks begin on day %i, in the week of %s', (date, weekStartsOn, first) => {
  expect(bucketOf(date, 'week', weekStartsOn)).toBe(first);
});

test('weeks that begin on Sunday are all there', () => {
  expect(listBuckets('2026-01-30', '2026-02-10', 'week', 0)).toEqual([
    '2026-01-25',
    '2026-02-01',
    '2026-02-08',
  ]);
});

const week = { from: '2026-03-23', to: '2026-03-29' };
test.each([
  ['over', week, '2026-03-30T00:00', { from: '2026-03-16', to: '2026-03-22', until: null }],
  ['still to come', week, '2026-03-22T23:59', { from: '2026-03-16', to: '2026-03-22', until: null }],
  ['on its last day', week, '2026-03-29T14:05', { from: '2026-03-16', to: '2026-03-22', until: '14:00' }],
  ['in its midst', week, '2026-03-25T14:10', { from: '2026-03-16', to: '2026-03-18', until: '14:15' }],
  ['about to end', week, '2026-03-29T23:55', { from: '2026-03-16', to: '2026-03-22', until: null }],
  ['just begun', week, '2026-03-23T00:03', { from: '2026-03-16', to: '2026-03-16', until: '00:00' }],
  [
    'today alone',
    { from: '2026-03-29', to: '2026-03-29' },
    '2026-03-29T09:30',
    { from: '2026-03-28', to: '2026-03-28', until: '09:30' },
  ],
])('a period that is %s is compared with as much right before it', (_, period, now, before) => {
  expect(periodBefore(period, now)).toEqual(before);
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

test('a bucket that the period cuts has the days of the period alone', () => {
  const [from, to] = ['2026-01-29', '2026-02-10'];
  const points = listBuckets(from, to, 'week').map((day) => ({ day }));
  expect(points.map(({ day }) => daysOfBucket({ points, from, to }, day))).toEqual([
    { from: '2026-01-29', to: '2026-02-01' },
    { from: '2026-02-02', to: '2026-02-08' },
    { from: '2026-02-09', to: '2026-02-10' },
  ]);
});

test.each([
  ['2026-11-28', true],
  ['2024-02-29', true],
  ['1970-01-01', true],
  ['2999-12-31', true],
  ['2026-02-29', false],
  ['2026-02-31', false],
  ['2026-13-01', false],
  ['1969-12-31', false],
  ['0001-01-01', false],
  ['3000-01-01', false],
  ['9999-12-31', false],
  ['+010000-01', false],
  ['2026-1-1', false],
  ['', false],
])('whether there are reports of %j: %s', (text, is) => {
  expect(isReportDay(text)).toBe(is);
});
