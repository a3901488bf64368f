import { expect, test } from 'vitest';
import { shareOfMinute, type SharingNumber } from './share-of-minute.ts';

const one = (id: string, more: Partial<SharingNumber> = {}): SharingNumber => ({
  ...{ id, isConnected: true, stoppedFor: null },
  ...more,
});
const off = { isConnected: false };
const stopped = { stoppedFor: 'everything' } as const;

test.each<[string, number, SharingNumber[], number[]]>([
  ['all of it through one number', 10, [one('a')], [10]],
  ['halves', 10, [one('a'), one('b')], [5, 5]],
  [
    'what cannot be divided to the first ones, in whichever order they come',
    10,
    [one('c'), one('a'), one('b')],
    [3, 4, 3],
  ],
  ['a part of a message', 1, [one('a'), one('b')], [0.5, 0.5]],
  ['what a disconnected number gave back', 10, [one('a'), one('b', off)], [10, 5]],
  ['what a stopped number gave back', 10, [one('a'), one('b', stopped)], [10, 5]],
  [
    'a stop of campaigns alone, behind which replies leave',
    10,
    [one('a'), one('b', { stoppedFor: 'campaigns' })],
    [5, 5],
  ],
])('%s', (_, perMinute, numbers, shares) => {
  expect(numbers.map(({ id }) => shareOfMinute(perMinute, numbers, id))).toEqual(shares);
});

test.each([1, 2, 7, 10, 99, 100_000])(
  'shares of %i are the limit together, and none is nothing',
  (perMinute) => {
    for (let count = 1; count <= 12; count += 1) {
      const numbers = Array.from({ length: count }, (_, place) => one(`n${place}`));
      const shares = numbers.map(({ id }) => shareOfMinute(perMinute, numbers, id));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(perMinute);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }
  },
);
