import { expect, test } from 'vitest';
import { clockAheadOf } from '../../src/calls/within-second.ts';

const NOON = Date.parse('2026-11-27T12:00:00Z');
const at = (seconds: number) => NOON + seconds * 1_000;

test.each([
  ['both clocks agree', 0, 0, 0.2, 0],
  ['the answer was slow, and was written at its begin', 0, 0, 15, 0],
  ['the answer was slow, and was written at its end', 15, 0, 15, 0],
  ['two seconds are explained by whole seconds', 2, 0, 0.2, 0],
  ['ten minutes ahead', 600, 0, 0.2, 599_900],
  ['ten minutes behind, with a slow answer', -600, 0, 10, -605_000],
])('%s', (_, told, asked, answered, ahead) => {
  const date = new Date(at(told)).toUTCString();
  expect(clockAheadOf({ date }, at(asked), at(answered))).toBe(ahead);
});

test('an answer without a date says nothing about the clock', () => {
  expect(clockAheadOf({}, NOON, NOON)).toBe(0);
});
