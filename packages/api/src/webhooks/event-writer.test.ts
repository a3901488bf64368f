import { expect, test } from 'vitest';
import { createEventWriter } from './event-writer.ts';

/** A store that fails at some items in some way, for the first few times that it gets them. */
function open(failures: Record<string, { error: unknown; times: number }>) {
  const stored: string[] = [];
  const aside: string[] = [];
  const writer = createEventWriter<string>({
    store: async (items) => {
      for (const item of items) {
        const failure = failures[item];
        if (failure && (failure.times -= 1) >= 0) throw failure.error;
      }
      stored.push(...items);
    },
    faultOfItem: (error) => (error === 'data' || error === 'other data' ? error : undefined),
    setAside: async (item) => {
      aside.push(item);
    },
  });
  return { writer, stored, aside };
}

test('an item that fails the same way each time is set aside alone', async () => {
  const { writer, stored, aside } = open({ c: { error: 'data', times: 99 } });
  await writer.write(['a', 'b', 'c', 'd']);
  expect([stored.toSorted(), aside]).toEqual([['a', 'b', 'd'], ['c']]);
});

test('an item that a fresh attempt stores is not set aside', async () => {
  const { writer, stored, aside } = open({ a: { error: 'data', times: 1 } });
  await writer.write(['a']);
  expect([stored, aside]).toEqual([['a'], []]);
});

test.each([new TypeError('a mistake of ours'), new RangeError('another'), new Error('no connection')])(
  'what does not lie in an item is not answered as stored: %s',
  async (error) => {
    const { writer, aside } = open({ b: { error, times: 99 } });
    await expect(writer.write(['a', 'b'])).rejects.toBe(error);
    await expect(writer.write(['b'])).rejects.toBe(error);
    expect(aside).toEqual([]);
  },
);
