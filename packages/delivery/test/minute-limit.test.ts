import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gapOf, lockMinute, MOMENT_LASTS_MS, TakenMoments, takeMoments } from '../src/pace/minute-moments.ts';
import { reserveReply } from '../src/pace/reply-rate.ts';
import { inTransaction } from '../src/transaction.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

const pool = () => scene.database.systemPool;

/** The most that left within any time of this length. */
function mostWithin(times: readonly number[], ms: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  for (let last = 0, first = 0; last < sorted.length; last += 1) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) >= ms) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

test('two numbers and two processes share the minute of their workspace, and replies have a part of it', async () => {
  await scene.addContacts(20);
  const perMinute = 600;
  scene.limits = { perMinute };
  const other = await scene.addChannel();
  const runs = [await scene.startRunOf(), await scene.startRunOf({ channelId: other })];
  await scene.engine();
  await scene.engine({ ownerId: randomUUID() });
  await waitFor(() => scene.platform.ledger.length > 5);
  const replies: number[] = [];
  for (let reply = 0; reply < 4; reply += 1) {
    const { workspaceId } = scene;
    const { waitMs } = await inTransaction(pool(), (client) =>
      reserveReply(client, { channelId: reply % 2 ? other : scene.channelId, workspaceId }, perMinute),
    );
    expect(waitMs).toBeLessThan(1_000);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    replies.push(performance.now());
  }
  for (const runNo of runs) {
    await scene.finish(runNo);
    const { shown, recounted } = await compareCounters(scene, runNo);
    expect(shown).toEqual(recounted);
    expect(shown).toMatchObject({ accepted: 20, unknown: 0 });
  }
  const all = [...scene.platform.ledger.map(({ at }) => at), ...replies];
  expect(scene.platform.ledger).toHaveLength(40);
  // As many moments as fit, and what leaves a little late: two numbers of their own would send twice as many.
  expect(mostWithin(all, 2_000)).toBeLessThanOrEqual(Math.ceil((2_000 + MOMENT_LASTS_MS) / gapOf(perMinute)));
  expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(42 * gapOf(perMinute));
});

test('moments of one workspace never lie nearer than its limit allows, whoever takes them at once', async () => {
  const perMinute = 120;
  const other = await scene.addChannel();
  const { workspaceId } = scene;
  const taken = await Promise.all(
    Array.from({ length: 12 }, async (_, place) =>
      inTransaction(pool(), async (client) => {
        if (place % 3 === 0) {
          const { waitMs } = await reserveReply(
            client,
            { channelId: place % 2 ? other : scene.channelId, workspaceId },
            perMinute,
          );
          return { at: performance.now() + waitMs, count: 1 };
        }
        const waitMs = await lockMinute(client, workspaceId);
        await takeMoments(client, workspaceId, { count: 2, perMinute });
        return { at: performance.now() + waitMs, count: 2 };
      }),
    ),
  );
  const inOrder = taken.toSorted((a, b) => a.at - b.at);
  inOrder.slice(1).forEach(({ at }, place) => {
    const before = inOrder[place];
    // Read on this side of the connection, so a little may be missing.
    expect(at - (before?.at ?? 0)).toBeGreaterThan((before?.count ?? 0) * gapOf(perMinute) - 250);
  });
  expect(inOrder.reduce((sum, { count }) => sum + count, 0)).toBe(20);
});

test('no sixty seconds hold more than the limit, however late each message leaves within its moment', () => {
  for (const perMinute of [1, 7, 10, 100, 1_000]) {
    const most = Math.floor((60_000 + MOMENT_LASTS_MS) / gapOf(perMinute));
    expect(most).toBeLessThanOrEqual(perMinute);
  }
});

test('a moment that was missed is nobody’s, and one is used once', () => {
  const moments = new TakenMoments();
  expect(moments.nextAt(0)).toBe(Infinity);
  moments.add({ askedAt: 0, now: 40, waitMs: 100 }, 2, 60);
  expect(moments.nextAt(50)).toBe(140);
  expect(moments.nextFreeAt).toBeCloseTo(140 + 2 * gapOf(60));
  moments.leave();
  expect(moments.nextAt(200)).toBeCloseTo(140 + gapOf(60));
  expect(moments.nextAt(100 + gapOf(60) + MOMENT_LASTS_MS + 1)).toBe(Infinity);
});

test('what could not leave within its moment goes back and leaves later, once', async () => {
  await scene.addContacts(12);
  scene.limits = { perMinute: 1_200 };
  // The number itself is so slow that every slice misses its moments.
  scene.messagesPerSecond = 3;
  await scene.engine();
  const runNo = await scene.startRunOf();
  const { counters } = await scene.finish(runNo);
  expect(counters).toMatchObject({ accepted: 12, unknown: 0 });
  expect(new Set(scene.platform.ledger.map(({ to }) => to)).size).toBe(12);
  expect(scene.platform.ledger).toHaveLength(12);
});
