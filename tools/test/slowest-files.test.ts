import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';
import { listSlowest, timeSuites } from '../slowest-files.ts';

test('the slowest files come first, by their place in the checkout', () => {
  const times = [
    { file: 'e2e/quick.e2e.ts', milliseconds: 400 },
    { file: join(root, 'packages/api/test/slow.test.ts'), milliseconds: 21_340 },
    { file: 'e2e/slower.e2e.ts', milliseconds: 30_000 },
  ];
  expect(listSlowest(times, 2)).toEqual([
    '  30.0 s  e2e/slower.e2e.ts',
    '  21.3 s  packages/api/test/slow.test.ts',
  ]);
});

test('a journey counts for its file, however deep it is described', () => {
  const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
  expect(
    timeSuites([
      {
        file: 'offline.e2e.ts',
        specs: [spec(100)],
        suites: [{ file: 'offline.e2e.ts', specs: [spec(20), spec(3)] }],
      },
    ]),
  ).toEqual([{ file: 'e2e/offline.e2e.ts', milliseconds: 123 }]);
});
