import { expect, test } from 'vitest';
import { defaultLayout, fieldColumn, fieldOfColumn, moveColumn, readLayout } from './contact-list-layout.ts';

const size = fieldColumn('0193a6f0-0000-7000-8000-000000000001');

test('of what is stored, that is taken which this version knows, each column once', () => {
  expect(readLayout({})).toEqual(defaultLayout);
  expect(
    readLayout({
      columns: ['tags', size, 'tags', 'shoe', 'field:none', 7, 'phone'],
      density: 'compact',
    }),
  ).toEqual({ columns: ['tags', size, 'phone'], density: 'compact' });
  expect(readLayout({ columns: [], density: 'wide' })).toEqual({ columns: [], density: 'comfortable' });
});

test('a column of a custom field names it', () => {
  expect(fieldOfColumn(size)).toBe('0193a6f0-0000-7000-8000-000000000001');
  expect(fieldOfColumn('phone')).toBeNull();
});

test('a column is moved, and stays within the list', () => {
  expect(moveColumn(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moveColumn(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moveColumn(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b']);
  expect(moveColumn(['a', 'b'], 5, 0)).toEqual(['a', 'b']);
});
