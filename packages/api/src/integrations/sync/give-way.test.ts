import { expect, test } from 'vitest';
import { restAfter } from './give-way.ts';

test.each([
  ['no campaign is running', 200, 0, 0],
  ['a campaign at the usual rate of a number leaves a third of the time', 200, 80, 320],
  ['two of them', 200, 160, 640],
  ['a fast one leaves the twentieth part', 200, 1_000, 3_800],
  ['and no less', 200, 5_000, 3_800],
  ['a page that took long is waited for no longer than ten seconds', 4_000, 1_000, 10_000],
])('%s: a page of %i ms at %i a second rests %i ms', (_, worked, rate, rest) => {
  expect(restAfter(worked, rate)).toBe(rest);
});
