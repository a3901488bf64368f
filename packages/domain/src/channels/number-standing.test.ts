import { expect, test } from 'vitest';
import { healthDrop, qualityDrop, readQuality, type NumberHealth, type Quality } from './number-standing.ts';

test.each<[Quality | null, Quality, Quality | null]>([
  ['green', 'yellow', 'yellow'],
  ['green', 'red', 'red'],
  ['yellow', 'red', 'red'],
  ['unknown', 'yellow', 'yellow'],
  [null, 'red', 'red'],
  [null, 'green', null],
  ['red', 'red', null],
  ['red', 'yellow', null],
  ['yellow', 'green', null],
  ['yellow', 'unknown', null],
])('after %s, %s is a drop to %s', (before, now, drop) => {
  expect(qualityDrop(before, now)).toBe(drop);
});

test.each<[NumberHealth | null, NumberHealth | null, NumberHealth | null]>([
  [null, 'limited', 'limited'],
  ['available', 'blocked', 'blocked'],
  ['limited', 'blocked', 'blocked'],
  ['blocked', 'limited', null],
  ['blocked', 'blocked', null],
  ['limited', 'available', null],
  ['limited', null, null],
])('after %s, %s is a drop to %s', (before, now, drop) => {
  expect(healthDrop(before, now)).toBe(drop);
});

test('a word that is none of them says nothing', () => {
  expect(['GREEN', 'Red', 'NA', ''].map(readQuality)).toEqual(['green', 'red', 'unknown', 'unknown']);
});
