import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../src/delivery-host.ts';
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
  const stopping = engine.stop(10_000);
  open();
  await stopping;
  expect((await owners()).filter((owner) => owner !== null)).toEqual([]);
  expect(scene.platform.ledger).toHaveLength(0);
});

test('when stop has returned, nothing of the engine asks the database or sends any more', async () => {
  await scene.addContacts(300);
  const pool = scene.database.systemPool;
  let asked = 0;
  const watched = new Proxy(pool, {
    get(target, name) {
      if (name === 'query' || name === 'connect') asked += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  /** What the engine left to be done later, by what takes it back. */
  const timers = new Map<() => void, () => void>();
  const clock = {
    now: systemClock.now,
    after(ms: number, call: () => void) {
      const cancel = systemClock.after(ms, () => {
        timers.delete(cancel);
        call();
      });
      timers.set(cancel, call);
      return () => {
        timers.delete(cancel);
        cancel();
      };
    },
  };
  for (let round = 0; round < 5; round += 1) {
    const engine = await scene.engine({ systemPool: watched, clock });
    await scene.startRunOf();
    const before = asked;
    await wakeEngine(pool, scene.channelId);
    await waitFor(() => asked >= before + round * 3);
    await engine.stop(10_000);
    const [sent, atStop] = [scene.platform.ledger.length, asked];
    for (const [cancel, call] of timers) {
      cancel();
      call();
    }
    timers.clear();
    await wakeEngine(pool, scene.channelId);
    await pool.query('SELECT 1');
    expect(asked).toBe(atStop);
    expect(scene.platform.ledger).toHaveLength(sent);
    expect((await owners()).filter((owner) => owner !== null)).toEqual([]);
  }
});
