import { expect, test } from 'vitest';
import { initialsOf } from './avatar.tsx';

test.each([
  ['Ada Byron', 'AB'],
  ['  ada  king  byron ', 'AB'],
  ['Cher', 'C'],
  ['', '?'],
  ['😀 Smile', '😀S'],
  ['👩‍🍳 Bakery', '👩‍🍳B'],
])('%s is shown as %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
