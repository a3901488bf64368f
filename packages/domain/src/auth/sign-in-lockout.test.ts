import { expect, test } from 'vitest';
import { waitSecondsAfter } from './sign-in-lockout.ts';

const MINUTE = 60;

test.each([
  [1, 0],
  [9, 0],
  [10, 15],
  [11, 0],
  [15, 30],
  [20, 60],
  [25, 120],
  [200, 1440],
])('after %i wrong passwords a network or device waits %i minutes', (failures, minutes) => {
  expect(waitSecondsAfter('network', failures)).toBe(minutes * MINUTE);
  expect(waitSecondsAfter('device', failures)).toBe(minutes * MINUTE);
});

test.each([
  [10, 0],
  [19, 0],
  [20, 1],
  [21, 2],
  [25, 32],
  [26, 60],
  [100_000, 60],
])('after %i wrong passwords of all strangers together each waits %i seconds', (failures, seconds) => {
  expect(waitSecondsAfter('strangers', failures)).toBe(seconds);
});
