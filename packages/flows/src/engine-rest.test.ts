import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRest } from './engine-rest.ts';

const LONG_MS = 600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a rest ends when a person comes, and when the engine stops', async () => {
  const stopping = new AbortController();
  const rest = createRest(stopping.signal);
  const first = rest.after(LONG_MS);
  rest.personCame();
  await expect(first).resolves.toBeUndefined();
  const second = rest.after(LONG_MS);
  stopping.abort();
  await expect(second).resolves.toBeUndefined();
  await expect(rest.after(LONG_MS)).resolves.toBeUndefined();
});

test('a person who came during the work leaves out the next rest alone', async () => {
  const rest = createRest(new AbortController().signal);
  rest.personCame();
  rest.personCame();
  await rest.after(LONG_MS);
  const isOver = vi.fn<() => void>();
  void rest.after(LONG_MS).then(isOver);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isOver).not.toHaveBeenCalled();
});

test('a rest after long work is short', async () => {
  const rest = createRest(new AbortController().signal);
  const isOver = vi.fn<() => void>();
  void rest.after(LONG_MS).then(isOver);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isOver).toHaveBeenCalledTimes(1);
});

test.each([
  ['nobody was served', undefined, 100],
  ['somebody was served just now', 0, 400],
  ['somebody was served long ago', 60_000, 100],
])('a rest is longer while people write: %s', async (_, servedBeforeMs, restMs) => {
  let now = 0;
  const rest = createRest(new AbortController().signal, () => now);
  if (servedBeforeMs !== undefined) rest.personIsNear();
  now += servedBeforeMs ?? 0;
  const isOver = vi.fn<() => void>();
  void rest.after(100).then(isOver);
  await vi.advanceTimersByTimeAsync(restMs - 1);
  expect(isOver).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toHaveBeenCalledTimes(1);
});
