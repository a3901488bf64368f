import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDataFile } from '../../src/data-management/data-rows.ts';
import type { HeldConnection } from '../../src/platform/request-scopes.ts';

/** A file of many rows of which nothing can be kept, in pieces as they arrive. */
async function* worthless(rows: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.from('1,'.repeat(1_000));
  yield Buffer.from('{"settings":{},"contacts":[],"campaigns":[],"templates":[');
  for (let sent = 0; sent < rows; sent += 1_000) yield piece;
  yield Buffer.from('1]}');
}

test('rows that hold nothing wait in memory no longer than others', async () => {
  const written: number[] = [];
  const held = {
    query: async (_: string, [rows]: unknown[][] = []) => void written.push(rows?.length ?? 0),
  } as unknown as HeldConnection; // all that is asked of it here
  await readDataFile(worthless(50_000), held);
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBe(50_001);
  expect(Math.max(...written)).toBeLessThan(20_000);
});

test.each([
  [100, 'read'],
  [101, 'data_foreign'],
])('of %i parts that nobody knows a file is %s', async (count, outcome) => {
  const parts = Array.from({ length: count }, (_, no) => [`part${no}`, [no]] as const);
  const text = JSON.stringify({
    ...Object.fromEntries(parts),
    ...{ settings: {}, contacts: [], templates: [], campaigns: [] },
  });
  const reading = readDataFile(Readable.from([Buffer.from(text)]));
  expect(
    await reading.then(
      () => 'read',
      (error: { code: string }) => error.code,
    ),
  ).toBe(outcome);
});
