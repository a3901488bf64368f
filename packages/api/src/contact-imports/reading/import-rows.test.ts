import { expect, test } from 'vitest';
import { readImportRows } from './import-rows.ts';

test('the rows behind a quote that nobody closes come in small groups, and others have their turn between them', async () => {
  async function* texts() {
    for (const text of ['name,phone\n"Ann,1\n', ...Array<string>(20).fill('Bob,2\n'.repeat(10_000))])
      yield text;
  }
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const sizes: number[] = [];
  for await (const rows of readImportRows(texts(), { fields: [], onColumns: () => undefined }))
    sizes.push(rows.length);
  isOver = true;
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_001);
  expect(Math.max(...sizes)).toBe(1_000);
  expect(turns).toBeGreaterThan(200);
});
