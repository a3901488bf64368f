import { expect, test } from 'vitest';
import { ClaimedWork } from '../src/recipients/claimed-work.ts';
import type { ClaimedRecipient } from '../src/recipients/claim-recipients.ts';
import { RunWork } from '../src/recipients/run-work.ts';

const recipient = (attempt: number): ClaimedRecipient => ({
  ...{ seq: 0, attempt, address: '+447700900001', name: 'Ann', email: null, customValues: null },
  ...{ language: null, variant: null, cancelReason: null, day: null },
});

test('a late answer to a first try leaves the second one in hand', async () => {
  const run = new RunWork(
    {
      ...{
        runNo: 1,
        campaignId: 'campaign',
        category: 'marketing',
        state: 'running',
        total: 1,
        claimable: 1,
      },
      ...{ gates: null, cursor: 0, isFrozen: true, nextRetryAt: null, heldForMs: 0, channelStopped: null },
    },
    { content: { type: 'text', body: 'Hello' }, variables: {} } as never, // nothing is filled in
  );
  const answered = Promise.withResolvers<void>();
  const givenBack: unknown[] = [];
  const pool = {
    async query(given: string | { name: string; values: unknown[] }) {
      if (typeof given === 'string') return { rows: [{ seq: 0, attempt: 2 }], rowCount: 1 };
      if (given.values[4] !== '{1}') givenBack.push(given.values[4]);
      await answered.promise;
      return { rows: [], rowCount: 0 };
    },
  };
  const work = new ClaimedWork({
    pool: pool as never,
    lease: {
      channelId: 'channel',
      workspaceId: 'workspace',
      owner: 'owner',
      epoch: 1,
      isFresh: false,
    } as never,
    clock: { now: () => Date.now(), after: () => () => undefined },
    logger: { warn() {}, error() {}, info() {} } as never,
    ...{ onSettled() {}, findRun: () => run, capacity: 10 },
  });
  const slice = run.openSlice(0, 1, 1);
  work.settle({ run, recipient: recipient(1), slice }, { to: 'waiting', notBefore: 0, code: null }, 0);
  const stored = work.flush();
  // The database has committed it, and gave the second try to us, before its answer is here.
  run.unsettled += 1;
  run.takeInHand([recipient(2)]);
  answered.resolve();
  await stored;

  await work.giveBackForgotten(run);
  await work.flush();
  expect(givenBack).toEqual([]);
  expect(run.held).toEqual([0]);
});
