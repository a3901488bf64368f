import { expect, test } from 'vitest';
import { createLatestSaver } from './save-latest.ts';

/** A server that answers when it is told to. */
function openServer() {
  const asked: string[] = [];
  const failures: unknown[] = [];
  let settle: { resolve: () => void; reject: (error: Error) => void };
  const wish = createLatestSaver(
    (order: string) => {
      asked.push(order);
      return new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
    },
    (error) => failures.push(error),
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ asked, failures, wish },
    answer: () => (settle.resolve(), turn()),
    refuse: () => (settle.reject(new Error('no')), turn()),
  };
}

test('there, back and there again on a slow line ends there, with no request too many', async () => {
  const { asked, wish, answer } = openServer();
  wish('up');
  wish('down');
  wish('up');
  await answer();
  expect(asked).toEqual(['up']);
  wish('down');
  expect(asked).toEqual(['up', 'down']);
});

test('of the wishes made meanwhile only the newest is saved, after the one under way', async () => {
  const { asked, wish, answer } = openServer();
  for (const order of ['a', 'b', 'c', 'd']) wish(order);
  expect(asked).toEqual(['a']);
  await answer();
  expect(asked).toEqual(['a', 'd']);
  await answer();
  expect(asked).toEqual(['a', 'd']);
});

test('a refusal is told once, ends what waits behind it, and leaves the next wish free', async () => {
  const { asked, failures, wish, refuse } = openServer();
  wish('a');
  wish('b');
  await refuse();
  expect([asked, failures.length]).toEqual([['a'], 1]);
  wish('c');
  expect(asked).toEqual(['a', 'c']);
});
