import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { part } from '@app/database/testing/thorough';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SendResult } from '@app/domain/messaging/channel-port';
import { pauseRun, resumeRun } from '../src/run-controls.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';
import { seededRandom } from './support/simulation.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

const again: SendResult = {
  outcome: 'refused',
  error: { code: '131016', title: 'Try again' },
  action: { kind: 'retry', afterMs: 30, maxAttempts: 5, pauses: 'recipient' },
};
const noConnection: SendResult = { outcome: 'not_sent', reason: 'connect_refused' };

async function used(): Promise<number> {
  const { rows } = await scene.database.systemPool.query<{ used: number }>(
    'SELECT sum(used)::integer AS used FROM delivery_usage',
  );
  return rows[0]?.used ?? 0;
}

/** How it ended once every run knows that nothing of it can come back: what is true then stays true. */
async function endedAt(limit: number, runs: readonly number[]) {
  await waitFor(() => scene.platform.ledger.length >= limit);
  for (const runNo of runs) await scene.finish(runNo, 'paused');
  await waitFor(async () => (await used()) === limit);
  const counters = await Promise.all(runs.map((runNo) => compareCounters(scene, runNo)));
  const paused = await Promise.all(runs.map((runNo) => scene.progress(runNo)));
  return {
    left: scene.platform.ledger.length,
    people: new Set(scene.platform.ledger.map(({ tag }) => tag.split('.').slice(1, 3).join())).size,
    reasons: [...new Set(paused.map(({ pause }) => pause?.reason))],
    areCountersTrue: counters.every(({ shown, recounted }) => isDeepStrictEqual(shown, recounted)),
  };
}

/** The whole allowance left, nobody got it twice, and the rest waits for tomorrow. */
const exactly = (limit: number) => ({
  ...{ left: limit, people: limit, reasons: ['daily_limit'], areCountersTrue: true },
});

test('a retry takes what is due of the day, not a slice, and a message counts once however often it is tried', async () => {
  await scene.addContacts(60);
  scene.limits = { perDay: 40 };
  const tries = new Map<string, number>();
  scene.platform.answer = ({ to }) => {
    const count = (tries.get(to) ?? 0) + 1;
    tries.set(to, count);
    return Number(to.at(-1)) % 3 === 0 && count <= 2 ? again : undefined;
  };
  scene.messagesPerSecond = 200;
  await scene.engine();
  expect(await endedAt(40, [await scene.startRunOf()])).toEqual(exactly(40));
});

test('whoever may not get it any more, and what never left, does not count', async () => {
  const ids = await scene.addContacts(60);
  const runNo = await scene.startRunOf();
  await scene.database.systemPool.query('UPDATE contacts SET opted_out_at = now() WHERE id = ANY($1)', [
    ids.filter((_, place) => place % 3 === 0),
  ]);
  scene.limits = { perDay: 25 };
  let calls = 0;
  scene.platform.answer = () => ((calls += 1) % 4 === 0 ? noConnection : undefined);
  await scene.engine();
  expect(await endedAt(25, [runNo])).toEqual(exactly(25));
});

test('what a pause gives back can leave after it', async () => {
  await scene.addContacts(120);
  scene.limits = { perDay: 80 };
  scene.messagesPerSecond = 100;
  scene.platform.latencyMs = 15;
  await scene.engine();
  const runNo = await scene.startRunOf();
  for (const count of [10, 30, 50]) {
    await waitFor(() => scene.platform.ledger.length >= count);
    await pauseRun(scene.database.systemPool, runNo);
    await new Promise((resolve) => setTimeout(resolve, 250));
    await resumeRun(scene.database.systemPool, runNo);
  }
  expect(await endedAt(80, [runNo])).toEqual(exactly(80));
});

test('a run that was turned away goes on the same day when another gives back', async () => {
  await scene.addContacts(30);
  scene.limits = { perDay: 20 };
  const slow = await scene.addChannel();
  let isHanging = true;
  const ends: (() => void)[] = [];
  scene.platform.answer = ({ tag }) =>
    isHanging && tag.split('.')[1] === first.toString(36)
      ? new Promise((resolve) => ends.push(() => resolve(noConnection)))
      : undefined;
  const first = await scene.startRunOf({ channelId: slow });
  await scene.engine();
  await waitFor(() => ends.length === 20);
  const second = await scene.startRunOf();
  await scene.finish(second, 'paused');
  expect(scene.platform.ledger).toHaveLength(0);
  await pauseRun(scene.database.systemPool, first);
  isHanging = false;
  for (const end of ends) end();
  await waitFor(() => scene.platform.ledger.length === 20);
  expect(await endedAt(20, [second])).toEqual(exactly(20));
});

test('a kind of channel has a limit of its own, to the message, and the others of the workspace go on', async () => {
  await scene.addContacts(40);
  const other = await scene.addChannel();
  await scene.database.systemPool.query(`UPDATE channels SET kind = 'other' WHERE id = $1`, [other]);
  let calls = 0;
  scene.platform.answer = () => ((calls += 1) % 4 === 0 ? noConnection : undefined);
  const limitsOf = (id: string) =>
    id === other ? { perDay: 45, ofKind: null } : { perDay: 45, ofKind: { name: 'fake', perDay: 20 } };
  await scene.engine({
    channelFor: async (id) => ({ ...scene.deliveryChannel(), limits: limitsOf(id) }),
  });
  const limited = await scene.startRunOf();
  expect(await endedAt(20, [limited])).toEqual(exactly(20));
  const free = await scene.startRunOf({ channelId: other });
  expect(await endedAt(45, [limited, free])).toMatchObject({ left: 45, areCountersTrue: true });
  const { rows } = await scene.database.systemPool.query<{ kinds: Record<string, { used: number }> }>(
    'SELECT kinds FROM delivery_usage',
  );
  expect(rows).toMatchObject([{ kinds: { fake: { used: 20 } } }]);
});

test('a run that its kind turned away goes on the same day when another of the kind gives back', async () => {
  await scene.addContacts(30);
  scene.limits = { ofKind: { name: 'fake', perDay: 20 } };
  const slow = await scene.addChannel();
  let isHanging = true;
  const ends: (() => void)[] = [];
  scene.platform.answer = ({ tag }) =>
    isHanging && tag.split('.')[1] === first.toString(36)
      ? new Promise((resolve) => ends.push(() => resolve(noConnection)))
      : undefined;
  const first = await scene.startRunOf({ channelId: slow });
  await scene.engine();
  await waitFor(() => ends.length === 20);
  const second = await scene.startRunOf();
  await scene.finish(second, 'paused');
  await pauseRun(scene.database.systemPool, first);
  isHanging = false;
  for (const end of ends) end();
  await waitFor(() => scene.platform.ledger.length === 20);
  expect(await endedAt(20, [second])).toEqual(exactly(20));
});

test('a claim whose commit was not answered takes nothing of the day', async () => {
  await scene.addContacts(50);
  scene.limits = { perDay: 35 };
  scene.messagesPerSecond = 100;
  const lossy = losingCommits(scene.database.systemPool, [1, 2, 4]);
  await scene.engine({ systemPool: lossy.pool });
  const runNo = await scene.startRunOf();
  expect(await endedAt(35, [runNo])).toEqual(exactly(35));
  expect(lossy.lost()).toBe(3);
});

test.each(part([1, 2, 3], 3))(
  'seed %i: two channels and two processes share one limit to the message',
  async (seed) => {
    const random = seededRandom(seed);
    await scene.addContacts(150);
    scene.limits = { perDay: 120 };
    const tries = new Map<string, number>();
    scene.platform.answer = async ({ tag }) => {
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
      const dice = random();
      const person = tag.split('.').slice(1, 3).join();
      const count = (tries.get(person) ?? 0) + 1;
      tries.set(person, count);
      // Nobody is refused so often that it is for good: that would count as one of the day, and leave nothing.
      if (dice < 0.7 || count >= 4) return undefined;
      return dice < 0.85 ? again : noConnection;
    };
    const runs = [await scene.startRunOf(), await scene.startRunOf({ channelId: await scene.addChannel() })];
    await scene.engine();
    await scene.engine({ ownerId: randomUUID() });
    expect(await endedAt(120, runs)).toEqual(exactly(120));
  },
);

/** A pool that loses the answers of some commits of claims, counted from 1. */
function losingCommits(pool: pg.Pool, losing: readonly number[]): { pool: pg.Pool; lost(): number } {
  let commits = 0;
  let lost = 0;
  return {
    lost: () => lost,
    pool: new Proxy(pool, {
      get(target, name) {
        if (name === 'connect')
          return async () => {
            const client = await target.connect();
            let claims = false;
            return new Proxy(client, {
              get(of, property) {
                if (property === 'query')
                  return async (...values: [never]) => {
                    const statement: unknown = values[0];
                    if (typeof statement === 'object' && JSON.stringify(statement).includes('claim_slice'))
                      claims = true;
                    const result = await (of.query(...values) as unknown as Promise<unknown>);
                    if (statement !== 'COMMIT' || !claims || !losing.includes((commits += 1))) return result;
                    lost += 1;
                    throw new Error('The connection was lost before the answer');
                  };
                const value: unknown = Reflect.get(of, property);
                return typeof value === 'function' ? value.bind(of) : value;
              },
            });
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  };
}
