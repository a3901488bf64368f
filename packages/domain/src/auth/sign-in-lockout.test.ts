import { expect, test } from 'vitest';
import { lockMinutesAfter } from './sign-in-lockout.ts';

test.each([
  [1, 0],
  [9, 0],
  [10, 15],
  [11, 0],
  [15, 30],
  [20, 60],
  [25, 120],
  [200, 1440],
])('after %i wrong passwords an address waits %i minutes', (failures, minutes) => {
  expect(lockMinutesAfter(failures)).toBe(minutes);
});
