import { expect, test } from 'vitest';
import { createRest } from './engine-rest.ts';

const LONG_MS = 600_000;

test('a rest ends when a person comes, and when the engine stops', async () => {
  const stopping = new AbortController();
  const rest = createRest(stopping.signal);
  const first = rest.take(LONG_MS);
  rest.end();
  await expect(first).resolves.toBeUndefined();
  const second = rest.take(LONG_MS);
  stopping.abort();
  await expect(second).resolves.toBeUndefined();
  await expect(rest.take(LONG_MS)).resolves.toBeUndefined();
});

test('a person who came during the work leaves out the next rest alone', async () => {
  const rest = createRest(new AbortController().signal);
  rest.end();
  rest.end();
  await rest.take(LONG_MS);
  const waits = rest.take(LONG_MS).then(() => 'over');
  expect(await Promise.race([waits, Promise.resolve('still')])).toBe('still');
  rest.end();
  expect(await waits).toBe('over');
});
