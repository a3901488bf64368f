import { expect, test } from 'vitest';
import { createEventWriter, type EventWriterOptions } from '../../src/webhooks/event-writer.ts';

/** A store that fails at some items in some way, for the first few times that it gets them. */
function open(
  failures: Record<string, { error: unknown; times: number }>,
  sizes: Pick<EventWriterOptions<string>, 'maxBatch' | 'maxSlice'> = {},
) {
  const stored: string[] = [];
  const groups: string[] = [];
  const aside: string[] = [];
  const apart: string[] = [];
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const writer = createEventWriter<string>({
    store: async (items) => {
      calls += 1;
      for (const item of items) {
        const failure = failures[item];
        if (failure && (failure.times -= 1) >= 0) throw failure.error;
      }
      // Capitals have to wait for somebody.
      const free = items.filter((item) => item === item.toLowerCase());
      stored.push(...free);
      groups.push(free.join(''));
      return items.filter((item) => !free.includes(item));
    },
    storeApart: async (items) => {
      await gate.promise;
      apart.push(items.join(''));
    },
    isOfSome: (error) => !(error instanceof Error && error.message === 'no connection'),
    faultOfItem: (error) => (error === 'data' || error === 'other data' ? error : undefined),
    deadLetter: async (item) => {
      aside.push(item);
    },
    ...sizes,
  });
  return { writer, stored, groups, aside, apart, free: gate.resolve, calls: () => calls };
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

const sizes = { maxBatch: 4, maxSlice: 3 };

test('a large request is stored slice by slice in its order, and others come between its slices', async () => {
  const { writer, groups } = open({}, sizes);
  const answered: string[] = [];
  const write = (text: string) => writer.write(text.split('')).then(() => answered.push(text));
  await Promise.all([write('abcdefgh'), write('x'), write('123456'), write('yz')]);
  expect(groups).toEqual(['abcx', '123', 'yz', 'def', '456', 'gh']);
  expect(answered).toEqual(['x', 'yz', '123456', 'abcdefgh']);
});

test('a large request that fails between two slices is refused, and stored when it comes again', async () => {
  const { writer, groups } = open({ e: { error: new Error('no connection'), times: 1 } }, sizes);
  await expect(writer.write([...'abcdefgh'])).rejects.toThrow('no connection');
  expect(groups).toEqual(['abc']);
  await writer.write([...'abcdefgh']);
  expect(groups.slice(1)).toEqual(['abc', 'def', 'gh']);
});

test('a slice that fails for another slice of its group goes on by itself', async () => {
  const { writer, stored } = open({ x: { error: new TypeError('a mistake'), times: 99 } }, sizes);
  const [large, small] = await Promise.allSettled([writer.write([...'abcdefgh']), writer.write(['x'])]);
  expect([large.status, small.status]).toEqual(['fulfilled', 'rejected']);
  expect(stored.join('')).toBe('abcdefgh');
});

test('a database that is busy is asked once for a whole group', async () => {
  const { writer, calls } = open({ a: { error: new Error('no connection'), times: 99 } });
  const answers = await Promise.allSettled(['a', 'b', 'c', 'd'].map((item) => writer.write([item])));
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(calls()).toBe(1);
});

test('a database that becomes busy while a group is divided is asked by none that come after', async () => {
  const { writer, stored, calls } = open({
    a: { error: new TypeError('a mistake'), times: 1 },
    b: { error: new Error('no connection'), times: 99 },
  });
  const answers = await Promise.allSettled(['a', 'b', 'c', 'd'].map((item) => writer.write([item])));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect([stored, calls()]).toEqual([['a'], 3]);
});

test('what has to wait for somebody keeps nobody else waiting, and is answered when it is stored', async () => {
  const { writer, groups, apart, free } = open({ q: { error: 'data', times: 99 } }, sizes);
  const answered: string[] = [];
  const write = (text: string) => writer.write(text.split('')).then(() => answered.push(text));
  const all = [write('aB'), write('Cde'), write('fgHij')];
  await write('k');
  await write('lqm');
  expect(answered).toEqual(['k', 'lqm']);
  free();
  await Promise.all(all);
  expect(apart).toEqual(['B', 'C', 'H']);
  expect(groups.join('').split('').toSorted().join('')).toBe('adefgijklm');
});
