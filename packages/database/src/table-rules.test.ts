import { expect, test } from 'vitest';
import { orderByAfter } from './table-rules.ts';

test.each([
  ['as they are declared', { a: [], b: [] }, ['a', 'b']],
  [
    'after what they name',
    { media: ['templates', 'flows'], flows: [], templates: ['campaigns'], campaigns: [] },
    ['campaigns', 'templates', 'flows', 'media'],
  ],
])('tables are ordered %s', (_, items, order) => {
  expect(orderByAfter(Object.entries(items).map(([name, after]) => [name, { after }]))).toEqual(order);
});

test.each([
  ['two that wait for each other', { a: ['b'], b: ['a'] }, 'a after b after a'],
  ['one that waits for a table that stays', { a: ['b'] }, 'a after b'],
])('there is no order for %s', (_, items, message) => {
  expect(() => orderByAfter(Object.entries(items).map(([name, after]) => [name, { after }]))).toThrow(
    message,
  );
});
