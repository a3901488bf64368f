import { expect, test } from 'vitest';
import { findCycle } from '../../apps/web/vite-cycles.ts';

test.each<[what: string, imports: Record<string, string[]>, cycle: string[] | undefined]>([
  ['none', { a: ['b', 'c'], b: ['c'], c: [] }, undefined],
  ['two that need each other', { a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
  ['a circle behind a file', { page: ['a'], a: ['b'], b: ['c'], c: ['a'] }, ['a', 'b', 'c', 'a']],
  ['a file that is not of the build', { a: ['elsewhere'] }, undefined],
])('circles among files of the app: %s', (_, imports, cycle) => {
  expect(findCycle(new Map(Object.entries(imports)))).toEqual(cycle);
});
