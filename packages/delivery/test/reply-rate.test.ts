import { afterAll, beforeAll, expect, test } from 'vitest';
import { reserveReply } from '../src/pace/reply-rate.ts';
import { type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeAll(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(1_000);
});

afterAll(() => scene.close());

function mostInAnySecond(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  for (let last = 0, first = 0; last < sorted.length; last += 1) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

test('a reply on an idle number leaves at once', async () => {
  expect((await reserveReply(scene.database.systemPool, scene.channelId)).waitMs).toBeLessThan(50);
});

test('replies go ahead of a campaign, and both together keep to the limit of the number', async () => {
  scene.messagesPerSecond = 80;
  await scene.engine();
  await scene.startRunOf();
  await waitFor(() => scene.platform.ledger.length > 80);
  const replies: number[] = [];
  const waits: number[] = [];
  for (let reply = 0; reply < 15; reply += 1) {
    const { waitMs } = await reserveReply(scene.database.systemPool, scene.channelId);
    waits.push(waitMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    replies.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(100);
  const all = [...scene.platform.ledger.map(({ at }) => at), ...replies];
  expect(mostInAnySecond(all)).toBeLessThanOrEqual(80);
  expect(replies).toHaveLength(15);
});
