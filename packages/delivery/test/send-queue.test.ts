import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RunWork, type SendItem } from '../src/recipients/run-work.ts';
import { SendQueue } from '../src/recipients/send-queue.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // what the flag adds

const [one, two] = [1, 2].map(
  (runNo) =>
    new RunWork(
      {
        runNo,
        campaignId: '',
        state: 'running',
        category: 'utility',
        total: 10,
        claimable: 10,
        gates: null,
        cursor: 0,
        isFrozen: true,
        nextRetryAt: null,
        heldForMs: 0,
        channelStopped: null,
      },
      { content: { type: 'text', body: 'Hello' }, variables: {}, businessName: 'Shop' },
    ),
) as [RunWork, RunWork];

function item(seq: number, run: RunWork = one): SendItem {
  return {
    run,
    recipient: {
      seq,
      attempt: 1,
      address: '+447700900000',
      name: `Person ${seq}`,
      email: null,
      customValues: null,
      language: null,
      variant: null,
      cancelReason: null,
      day: null,
    },
    slice: null,
  };
}

const seqOf = (taken: SendItem | undefined) => taken?.recipient.seq;

test('a recipient that left is forgotten, also while the queue is never empty', () => {
  const queue = new SendQueue(8);
  const left: WeakRef<SendItem>[] = [];
  for (let seq = 0; seq < 4; seq += 1) queue.push(item(seq));
  for (let seq = 4; seq < 2_000; seq += 1) {
    queue.push(item(seq));
    const taken = queue.take();
    if (taken) left.push(new WeakRef(taken));
  }
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    collectGarbage();
    expect(queue.length).toBe(4);
    expect(left.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10);
  });
});

test('it holds no more than it was made for', () => {
  const queue = new SendQueue(3);
  for (const seq of [1, 2, 3]) queue.push(item(seq));
  expect(() => queue.push(item(4))).toThrow('More recipients were claimed than may wait');
});

test('they leave in their order, around the end of the ring, and those of one run can be taken out', () => {
  const queue = new SendQueue(4);
  for (const seq of [1, 2, 3]) queue.push(item(seq));
  expect([queue.take(), queue.take()].map(seqOf)).toEqual([1, 2]);
  queue.push(item(4, two));
  queue.push(item(5));
  queue.push(item(6, two));
  expect(queue.takeAll(two).map(seqOf)).toEqual([4, 6]);
  expect(queue.length).toBe(2);
  expect([queue.take(), queue.take(), queue.take()].map(seqOf)).toEqual([3, 5, undefined]);
  queue.push(item(7));
  expect(queue.takeAll().map(seqOf)).toEqual([7]);
  queue.push(item(8));
  queue.clear();
  expect(queue.take()).toBeUndefined();
});
