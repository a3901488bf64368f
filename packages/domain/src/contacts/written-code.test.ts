import { expect, test } from 'vitest';
import { lacksCode } from './written-code.ts';

test.each([
  ['626152275', true],
  ['0171 / 234-5678', true],
  ["'(415) 555-2671", true],
  ['tel:34626152275', true],
  ['+34 626 152 275', false],
  ['0034 626 152 275', false],
  ["'+34626152275", false],
  ['4,9171E+12', false],
  ['112', false],
  ['', false],
])('%j', (written, expected) => {
  expect(lacksCode(written)).toBe(expected);
});
