import { expect, test } from 'vitest';
import { nextBatchSize } from './batch-size.ts';

test.each([
  ['quick runs: twice as many', 200, { moved: 200, ms: 20 }, 400],
  ['runs that nearly fill the time: a few more', 200, { moved: 200, ms: 64 }, 250],
  ['never more than a thousand', 1_000, { moved: 1_000, ms: 10 }, 1_000],
  ['a batch that was not full: as many', 400, { moved: 3, ms: 6 }, 400],
  ['none at all', 200, { moved: 0, ms: 1 }, 200],
  ['slow runs: as many as fit', 400, { moved: 400, ms: 100 }, 320],
  ['very slow runs: half', 400, { moved: 400, ms: 4_000 }, 200],
  ['a few slow runs: half', 400, { moved: 5, ms: 400 }, 200],
  ['never fewer than fifty', 50, { moved: 50, ms: 9_000 }, 50],
])('%s', (_, size, last, next) => {
  expect(nextBatchSize(size, last)).toBe(next);
});
