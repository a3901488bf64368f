import { expect, test } from 'vitest';
import { fitSearch } from './fit-search.ts';

const sentence = ['added ', { value: 'name' }, ' to ', { value: 'list' }];

test.each([
  ['within the words', 'add', [[]]],
  ['within words behind a value', 'to', [[]]],
  ['from words into a value', 'ed ann', [[{ name: 'name', at: 'start', text: 'ann' }]]],
  ['from a value into words', 'lee to', [[{ name: 'name', at: 'end', text: 'lee' }]]],
  [
    'through a whole value',
    'added ann to vips',
    [
      [{ name: 'name', at: 'start', text: 'ann to vips' }],
      [
        { name: 'name', at: 'whole', text: 'ann' },
        { name: 'list', at: 'start', text: 'vips' },
      ],
      [
        { name: 'name', at: 'end', text: 'added ann' },
        { name: 'list', at: 'start', text: 'vips' },
      ],
    ],
  ],
  ['words that are not there', 'deleted', []],
  ['what only a value can hold', 'ann', []],
])('%s', (_, search, ways) => {
  expect(fitSearch(sentence, search)).toEqual(ways);
});
