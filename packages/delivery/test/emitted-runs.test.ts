import type pg from 'pg';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { RejectionAction } from '@app/domain/messaging/rejection';
import { systemClock } from '../src/delivery-host.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import { cancelRun, pauseRun, resumeRun } from '../src/run-controls.ts';
import {
  type DeliveryScene,
  openDeliveryScene,
  quietLogger,
  readEmitted,
  emitPlainly,
  waitFor,
} from './support/delivery-scene.ts';
import { createMortalProcess, type MortalProcess } from './support/simulation.ts';
import { watchPool } from './support/watch-pool.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

const readTypes = async (runNo: number) => (await readEmitted(scene, runNo)).map(({ type }) => type);

/** Dies with the commit that `hasEnded` finds to have changed the run: nothing that follows it happens. */
function dieBehindCommit(pool: pg.Pool, hasEnded: () => Promise<boolean>): MortalProcess {
  const watched = watchPool(pool, async (_, run) => {
    const result = await run();
    if (!mortal.isDead && (await hasEnded())) mortal.die();
    return result;
  });
  const mortal = createMortalProcess(watched, systemClock, Math.random, 0);
  return mortal;
}

async function runUntilDead(runNo: number, hasEnded: () => Promise<boolean>): Promise<void> {
  const mortal = dieBehindCommit(scene.database.systemPool, hasEnded);
  // Not one that the scene stops at its end: a dead process cannot be stopped.
  const engine = createDeliveryEngine({
    systemPool: mortal.pool,
    clock: mortal.clock,
    channelFor: () => Promise.resolve({ channel: scene.platform, messagesPerSecond: null }),
    publish: (event) => void scene.events.push(event),
    emit: emitPlainly,
    logger: quietLogger,
    ownerId: randomUUID(),
    pollMs: 100,
  });
  // It may die over its start, which then never ends.
  void engine.start().catch(() => undefined);
  await waitFor(() => mortal.isDead);
  expect(scene.events.filter((event) => event.runNo === runNo && event.state === 'completed')).toEqual([]);
  await scene.database.systemPool.query('UPDATE delivery_channels SET lease_until = now()');
}

test('a run that ended is told once, also when its process dies with the commit', async () => {
  await scene.addContacts(12);
  const runNo = await scene.startRunOf();
  await runUntilDead(runNo, async () => (await scene.progress(runNo)).completedAt !== null);
  await scene.engine();
  expect(await readEmitted(scene, runNo)).toEqual([
    {
      type: 'campaign.completed',
      values: { total: 12, sent: 12, failed: 0, cancelled: 0, unknown: 0 },
    },
  ]);
});

test.each<[string, RejectionAction, string]>([
  ['run', { kind: 'stop_campaign', recipient: 'failed' }, 'campaign_stopped'],
  ['number', { kind: 'stop_channel', blocks: 'campaigns' }, 'channel_stopped'],
])(
  'a %s that the platform stopped is told once, also when the process dies with it',
  async (_, action, reason) => {
    await scene.addContacts(12);
    const runNo = await scene.startRunOf();
    scene.platform.answer = () => ({
      outcome: 'refused',
      error: { code: '131031', title: 'Locked' },
      action,
    });
    await runUntilDead(runNo, async () => (await scene.progress(runNo)).state === 'paused');
    await scene.engine();
    await scene.engine();
    // Both have looked at every run when one of another number has ended.
    scene.platform.answer = () => undefined;
    await scene.finish(await scene.startRunOf({ channelId: await scene.addChannel() }));
    expect(await readEmitted(scene, runNo)).toEqual([
      { type: 'campaign.run_changed', values: { state: 'paused', reason } },
    ]);
  },
);

test('a run without its number pauses, one that waited for a time goes on: each is told once by two processes', async () => {
  await scene.addContacts(3);
  const runNo = await scene.startRunOf();
  let channel: typeof scene.platform | null = null;
  const channelFor = () => Promise.resolve(channel && { channel, messagesPerSecond: null });
  await Promise.all([scene.engine({ channelFor }), scene.engine({ channelFor })]);
  await waitFor(async () => (await scene.progress(runNo)).state === 'paused');
  channel = scene.platform;
  await scene.database.systemPool.query('UPDATE delivery_runs SET resume_at = now()');
  await scene.finish(runNo);
  expect(await readEmitted(scene, runNo)).toEqual([
    { type: 'campaign.run_changed', values: { state: 'paused', reason: 'channel_missing' } },
    { type: 'campaign.run_changed', values: { state: 'ready', reason: null } },
    expect.objectContaining({ type: 'campaign.completed' }),
  ]);
});

longTest(
  'an end at the moment of a pause or a cancellation is told once, by two processes as well',
  async () => {
    await scene.addContacts(2);
    await Promise.all([scene.engine(), scene.engine()]);
    const pool = scene.database.systemPool;
    const ends = new Set<string>();
    for (let round = 0; round < 24; round += 1) {
      const isCancelled = round % 2 === 0;
      let runNo = 0;
      // Its last message has left, and the act meets its outcome on the way to the database; in the first round it comes before.
      const stopped = new Promise<boolean>((resolve) => {
        const act = async () => {
          await waitFor(() => runNo > 0);
          resolve(await (isCancelled ? cancelRun(pool, runNo) : pauseRun(pool, runNo)));
        };
        let left = 0;
        scene.platform.answer = async () => {
          left += 1;
          if (left === 2 && round === 0) await act();
          else if (left === 2) setTimeout(() => void act(), round);
          return undefined;
        };
      });
      runNo = await scene.startRunOf();
      const isStopped = await stopped;
      if (isStopped && !isCancelled) await resumeRun(pool, runNo);
      const end = isStopped && isCancelled ? 'cancelled' : 'completed';
      await scene.finish(runNo, end);
      const type = end === 'cancelled' ? 'campaign.run_changed' : 'campaign.completed';
      expect(await readTypes(runNo)).toEqual([type]);
      ends.add(end);
    }
    expect([...ends].toSorted()).toEqual(['cancelled', 'completed']);
  },
);

test('what an answer of the platform says of somebody is told with it', async () => {
  const [ann, ben] = await scene.addContacts(2);
  scene.platform.answer = ({ to }) => ({
    outcome: 'refused',
    error: { code: '131050', title: 'No' },
    action: to.endsWith('1') ? { kind: 'opt_out' } : { kind: 'hold_recipient', hours: 24 },
  });
  await scene.engine();
  await scene.finish(await scene.startRunOf());
  const readPeople = async () =>
    (
      await scene.database.systemPool.query<{ type: string; values: unknown }>(
        `SELECT type, "values" FROM events WHERE subject_id IS NULL ORDER BY type`,
      )
    ).rows;
  await waitFor(async () => (await readPeople()).length === 2);
  expect(await readPeople()).toEqual([
    { type: 'consents.said', values: { optedOut: [ann], optedIn: [] } },
    { type: 'contacts.platform_changed', values: { contactIds: [ben] } },
  ]);
});
