import { afterEach, beforeEach, expect, test } from 'vitest';
import { wakeEngine } from '../src/engine/engine-wake.ts';
import { type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

async function owners(): Promise<(string | null)[]> {
  const { rows } = await scene.database.systemPool.query<{ owner: string | null }>(
    'SELECT owner FROM delivery_channels',
  );
  return rows.map(({ owner }) => owner);
}

test('an engine that is stopped while it opens a channel does not take it', async () => {
  await scene.addContacts(20);
  let open = (): void => undefined;
  let isAsked = false;
  const engine = await scene.engine({
    channelFor: () =>
      new Promise((resolve) => {
        isAsked = true;
        open = () => resolve({ channel: scene.platform, messagesPerSecond: null });
      }),
  });
  await scene.startRunOf();
  await waitFor(() => isAsked);
  const stopping = engine.stop(500);
  await new Promise((resolve) => setTimeout(resolve, 100));
  open();
  await stopping;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await owners()).filter((owner) => owner !== null)).toEqual([]);
  expect(scene.platform.ledger).toHaveLength(0);
});

test('when stop has returned, nothing of the engine asks the database or sends any more', async () => {
  await scene.addContacts(300);
  const pool = scene.database.systemPool;
  let isStopped = false;
  let late = 0;
  const watched = new Proxy(pool, {
    get(target, name) {
      if ((name === 'query' || name === 'connect') && isStopped) late += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  for (let round = 0; round < 5; round += 1) {
    isStopped = false;
    const engine = await scene.engine({ systemPool: watched });
    await scene.startRunOf();
    await wakeEngine(pool, scene.channelId);
    await new Promise((resolve) => setTimeout(resolve, round * 15));
    await engine.stop(10_000);
    isStopped = true;
    const sent = scene.platform.ledger.length;
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(late).toBe(0);
    expect(scene.platform.ledger).toHaveLength(sent);
    expect((await owners()).filter((owner) => owner !== null)).toEqual([]);
  }
});
