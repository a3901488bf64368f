import { expect, test } from 'vitest';
import { chosenFilters, fitsFilters, namesOf, readFilters, type ListFilter } from './list-filters.ts';

type Plant = { kind: string; place: string };
const filters = {
  kind: {
    label: 'common.edit',
    all: 'common.yes',
    values: ['tree', 'herb'] as const,
    say: (kind: 'tree' | 'herb') => kind,
    of: ({ kind }: Plant) => kind,
  },
  place: {
    label: 'common.edit',
    all: 'common.yes',
    values: ['sun', 'shade'] as const,
    say: (place: 'sun' | 'shade') => place,
    of: ({ place }: Plant) => place,
  },
} satisfies Record<string, ListFilter<Plant>>;

test('an address holds a choice of each filter, or none', () => {
  expect(readFilters(filters, { kind: 'herb', place: 'cellar', other: 'x' })).toEqual({
    kind: 'herb',
    place: 'all',
  });
  expect(readFilters(filters, {})).toEqual({ kind: 'all', place: 'all' });
  expect(namesOf(filters)).toEqual(['kind', 'place']);
});

test('the server is asked for what is chosen, and for nothing else of the address', () => {
  const url = { kind: 'herb' as const, place: 'all' as const, dialog: 'edit' };
  expect(chosenFilters(filters, url)).toEqual({ kind: 'herb' });
});

test('a row stays when it has all that is chosen', () => {
  const mint = { kind: 'herb', place: 'shade' };
  expect(fitsFilters(filters, { kind: 'all', place: 'all' }, mint)).toBe(true);
  expect(fitsFilters(filters, { kind: 'herb', place: 'shade' }, mint)).toBe(true);
  expect(fitsFilters(filters, { kind: 'herb', place: 'sun' }, mint)).toBe(false);
});
