import { expect, test } from 'vitest';
import { depthAfter, FACT_DEPTH_LIMIT, isAtDepthLimit, readCause, type Cause } from './fact-cause.ts';

const at = (depth: number): Cause => ({ kind: 'fact', id: '7', depth });

test.each([
  [null, 0],
  [at(0), 1],
  [at(FACT_DEPTH_LIMIT), FACT_DEPTH_LIMIT + 1],
  [at(32_767), 32_767],
])('what %j leads to has depth %i, and never one that a row cannot hold', (cause, depth) => {
  expect(depthAfter(cause)).toBe(depth);
});

test('the limit is reached by its own depth', () => {
  expect([FACT_DEPTH_LIMIT - 1, FACT_DEPTH_LIMIT].map((depth) => isAtDepthLimit({ depth }))).toEqual([
    false,
    true,
  ]);
});

test.each([
  [at(3), at(3)],
  [{ ...at(3), more: true }, at(3)],
  [null, null],
  ['fact', null],
  [{ kind: 'person', id: '7', depth: 0 }, null],
  [{ kind: 'run', id: 7, depth: 0 }, null],
])('%j is read back as %j', (stored, cause) => {
  expect(readCause(stored)).toEqual(cause);
});
