import { expect, test } from 'vitest';
import { createWorkQueue, QueueFull } from './work-queue.ts';

test('who is first stands before all others and has a row of their own', async () => {
  const queue = createWorkQueue(1, 2);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const running = queue.run(() => gate.promise);
  const note = (name: string) => async () => void order.push(name);
  const waiting = [queue.run(note('a stranger')), queue.run(note('another stranger'))];
  await expect(queue.run(note('one too many'))).rejects.toThrow(QueueFull);
  waiting.push(queue.run(note('known'), { isFirst: true }));
  gate.resolve();
  await Promise.all([running, ...waiting]);
  expect(order).toEqual(['known', 'a stranger', 'another stranger']);
});

test('work that fails gives its place to the next', async () => {
  const queue = createWorkQueue(1, 1);
  const failing = queue.run(() => Promise.reject(new Error('failed')));
  const next = queue.run(async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
});
