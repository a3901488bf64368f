import type { SendResult } from '@app/domain/messaging/channel-port';
import { expect, test } from 'vitest';
import { openDeliveryScene, waitFor } from './support/delivery-scene.ts';
import { watchPool } from './support/watch-pool.ts';

/** They are tried again once the second campaign has been found. */
const busy: SendResult = {
  outcome: 'refused',
  error: { code: '131016', title: 'Service unavailable' },
  action: { kind: 'retry', afterMs: 1_000, maxAttempts: 3, pauses: 'recipient' },
};
/** After so long nothing else can be under way that would come before. */
const AT_REST_MS = 500;
/** Longer than it takes until the first person is tried again. */
const TRIED_AGAIN_MS = 5_000;

test('a campaign that begins while tries of another one are claimed reaches each person once', async () => {
  const scene = await openDeliveryScene();
  try {
    const [first, second] = await scene.addContacts(2);
    const answers = { first: 0, second: 0 };
    let isFirstReadOver = false;
    let isFirstTriedAgain = false;
    let reads = 0;
    const secondSent = Promise.withResolvers<void>();
    const secondSentAgain = Promise.withResolvers<void>();
    scene.platform.answer = async ({ to }) => {
      if (to.endsWith('1')) {
        answers.first += 1;
        isFirstTriedAgain = answers.first > 1;
        return answers.first === 1 ? busy : undefined;
      }
      answers.second += 1;
      secondSent.resolve();
      if (answers.second > 1) secondSentAgain.resolve();
      else await Promise.race([secondSentAgain.promise, pause(2 * AT_REST_MS)]);
      return undefined;
    };
    let isSecondThere = false;
    const pool = watchPool(scene.database.systemPool, async (statement, run) => {
      const result = await run();
      if (!isSecondThere || !statement.includes('SELECT message FROM delivery_runs')) return result;
      reads += 1;
      // The read that found the new campaign first is the last to know what it sends.
      if (reads === 1) {
        // A claim that comes a moment too early finds nobody, and looks again after the next read, which waits for this one.
        await Promise.race([waitFor(() => isFirstTriedAgain), pause(TRIED_AGAIN_MS)]);
        await Promise.race([secondSent.promise, pause(AT_REST_MS)]);
        isFirstReadOver = true;
      }
      return result;
    });
    const firstRun = await scene.startRunOf({ audience: { contactIds: [first!] } });
    await scene.engine({ systemPool: pool, pollMs: 60_000 });
    await waitFor(() => answers.first === 1);
    isSecondThere = true;
    const secondRun = await scene.startRunOf({ audience: { contactIds: [second!] } });

    await scene.finish(firstRun);
    const { counters } = await scene.finish(secondRun);
    expect(isFirstReadOver).toBe(true);
    expect(counters).toMatchObject({ total: 1, accepted: 1, unknown: 0 });
    expect(scene.platform.ledger.map(({ to }) => to.at(-1)).toSorted()).toEqual(['1', '2']);
  } finally {
    await scene.close();
  }
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
