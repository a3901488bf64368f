import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanTags } from '../contacts/contact.ts';
import { readTagCell, writeTagCell } from './tag-cell.ts';

test.each([
  ['vip; new', ['vip', 'new']],
  ['vip, new', ['vip', 'new']],
  ['vip | new|', ['vip', 'new']],
  ['a,b;c|d', ['a', 'b', 'c', 'd']],
  [' "Berlin, Mitte" ; vip', ['Berlin, Mitte', 'vip']],
  ['"the ""best""", 7" pipes', ['the "best"', '7" pipes']],
  ['"open, b', ['"open', 'b']],
  ['', []],
])('the cell %j', (cell, tags) => {
  expect(cleanTags(readTagCell(cell))).toEqual(tags);
});

test('tags come back as they were written', () => {
  const tag = fc.string({ unit: fc.constantFrom('a', 'b', ',', '|', '"', ' ') });
  fc.assert(
    fc.property(fc.array(tag), (some) => {
      const tags = cleanTags(some);
      expect(cleanTags(readTagCell(writeTagCell(tags)))).toEqual(tags);
    }),
  );
});
