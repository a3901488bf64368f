import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { createMortalProcess } from './support/simulation.ts';
import { systemClock } from '../src/delivery-host.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import { cancelRun, pauseRun, resumeRun } from '../src/run-controls.ts';
import { releaseRest, type RunSplit } from '../src/split-run.ts';
import { freezeRest } from '../src/start-run.ts';
import { inTransaction } from '../src/transaction.ts';
import {
  openDeliveryScene,
  quietLogger,
  emitPlainly,
  waitFor,
  type DeliveryScene,
} from './support/delivery-scene.ts';

let scene: DeliveryScene;
beforeEach(async () => {
  scene = await openDeliveryScene();
});
afterEach(() => scene.close());

const text = (body: string) => ({ content: { type: 'text', body }, variables: {} }) as const;
const message: RunMessage = {
  ...text('A {{name}}'),
  businessName: 'Shop',
  variants: [text('B {{name}}'), text('C')],
};
const split: RunSplit = { turns: [0, 1, 2], testSize: 30, holdoutPercent: 0, templates: [null, null] };

const sentLetters = () =>
  new Map(scene.platform.ledger.map(({ to, body }) => [to, (body as { body: string }).body[0] ?? '']));
const pool = () => scene.database.systemPool;
async function rowsOf(runNo: number) {
  const { rows } = await pool().query<{
    seq: number;
    address: string;
    variant: number | null;
    state: number;
    code: string | null;
  }>(
    'SELECT seq, address, variant, state, error_code AS code FROM delivery_recipients WHERE run_no = $1 ORDER BY seq',
    [runNo],
  );
  return rows;
}
const lettersOf = (values: Iterable<string>) => Map.groupBy(values, (letter) => letter);

async function addPeopleAndStart(count: number, more: Parameters<DeliveryScene['startRunOf']>[0] = {}) {
  await scene.addContacts(count);
  return scene.startRunOf({ message, split, category: 'utility', ...more });
}

test('those of the test get their variants side by side, and nobody else gets anything until the rest is released', async () => {
  const runNo = await addPeopleAndStart(60);
  await scene.engine();
  await waitFor(async () => (await scene.progress(runNo)).counters.accepted === 30);
  const rows = await rowsOf(runNo);
  const places = new Map(rows.map(({ address, variant }) => [address, variant]));
  for (const [to, letter] of sentLetters()) expect(letter).toBe('ABC'[places.get(to) ?? 9]);
  expect([...lettersOf(sentLetters().values()).values()].map((one) => one.length)).toEqual([10, 10, 10]);
  expect(rows.slice(30).every(({ variant, state }) => variant === null && state === 0)).toBe(true);
  // Contacts come in by their age: a test of the oldest alone would say nothing about the others.
  expect(rows.map(({ address }) => address)).not.toEqual(rows.map(({ address }) => address).toSorted());

  expect(await inTransaction(pool(), (client) => releaseRest(client, runNo, 1))).toBe(true);
  // Two people press at once, or one twice: the first decision stands.
  expect(await inTransaction(pool(), (client) => releaseRest(client, runNo, 2))).toBe(false);
  const { counters } = await scene.finish(runNo);
  expect(counters).toMatchObject({ total: 60, accepted: 60 });
  expect(scene.platform.ledger).toHaveLength(60);
  expect(lettersOf(sentLetters().values()).get('B')).toHaveLength(40);
});

test('a process that dies in the middle, and the retries of the next one, give nobody a second message or another variant', async () => {
  const runNo = await addPeopleAndStart(60);
  const before = await rowsOf(runNo);
  scene.messagesPerSecond = 30;
  const dying = createMortalProcess(pool(), systemClock, Math.random, 0);
  await createDeliveryEngine({
    systemPool: dying.pool,
    clock: dying.clock,
    channelFor: () => Promise.resolve({ channel: scene.platform, messagesPerSecond: 30 }),
    ...{ publish: () => undefined, emit: emitPlainly, logger: quietLogger, ownerId: randomUUID() },
  }).start();
  await waitFor(() => scene.platform.ledger.length >= 5);
  dying.die();
  await pool().query('UPDATE delivery_channels SET lease_until = now() WHERE channel_id = $1', [
    scene.channelId,
  ]);
  scene.messagesPerSecond = null;
  const tried = new Set<string>();
  scene.platform.answer = ({ to }) => {
    if (tried.has(to)) return undefined;
    tried.add(to);
    const action = { kind: 'retry', afterMs: 50, maxAttempts: 3, pauses: 'recipient' } as const;
    return { outcome: 'refused', error: { code: '131016', title: 'Later' }, action };
  };
  await scene.engine();
  await waitFor(async () => {
    const { accepted, unknown } = (await scene.progress(runNo)).counters;
    return accepted + unknown === 30;
  });
  await inTransaction(pool(), (client) => releaseRest(client, runNo, 2));
  await scene.finish(runNo);
  const accepted = scene.platform.ledger.map(({ to }) => to);
  expect(new Set(accepted).size).toBe(accepted.length);
  expect((await rowsOf(runNo)).map(({ variant }) => variant)).toEqual(before.map(({ variant }) => variant));
  for (const { address, variant } of before) {
    const letter = sentLetters().get(address);
    if (letter !== undefined) expect(letter).toBe('ABC'[variant ?? 2]);
  }
});

test('who is held out gets nothing and has a row that says so, also in a large audience that is frozen in two parts', async () => {
  await scene.addContacts(400);
  const started = await scene.start({
    ...{ message, category: 'utility', largeFrom: 100, headSize: 20 },
    split: { ...split, testSize: 90, holdoutPercent: 25 },
  });
  const runNo = 'runNo' in started ? started.runNo : 0;
  await inTransaction(pool(), (client) => freezeRest(client, runNo));
  const rows = await rowsOf(runNo);
  expect(rows).toHaveLength(400);
  expect(new Set(rows.map(({ address }) => address)).size).toBe(400);
  const heldOut = rows.filter(({ code }) => code === 'held_out');
  // 100 of 400 by chance, which is the same at each run of this test only for the same contacts.
  expect(heldOut.length).toBeGreaterThan(40);
  expect(heldOut.length).toBeLessThan(180);
  expect(rows.filter(({ variant }) => variant !== null).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 90 }, (_, seq) => seq),
  );
  expect([0, 1, 2].map((one) => rows.filter(({ variant }) => variant === one).length)).toEqual([30, 30, 30]);
});

test('a pause, a resume and a cancellation hold for the test and for those who wait', async () => {
  const runNo = await addPeopleAndStart(60);
  await scene.engine();
  await waitFor(async () => (await scene.progress(runNo)).counters.accepted === 30);
  await pauseRun(pool(), runNo);
  await inTransaction(pool(), (client) => releaseRest(client, runNo, 0));
  await scene.finish(runNo, 'paused');
  expect(scene.platform.ledger).toHaveLength(30);
  await resumeRun(pool(), runNo);
  await scene.finish(runNo);
  expect(scene.platform.ledger).toHaveLength(60);

  const other = await scene.startRunOf({ message, split, category: 'utility' });
  await waitFor(async () => (await scene.progress(other)).counters.accepted === 30);
  await cancelRun(pool(), other);
  await scene.finish(other, 'cancelled');
  await inTransaction(pool(), (client) => releaseRest(client, other, 0));
  expect(scene.platform.ledger).toHaveLength(90);
  expect((await scene.progress(other)).counters).toMatchObject({ accepted: 30, cancelled: 30 });
});

test('a retry gives everybody the variant that did not reach them', async () => {
  const runNo = await addPeopleAndStart(60, { split: { ...split, testSize: null } });
  scene.platform.answer = () => ({
    outcome: 'refused',
    error: { code: '131016', title: 'Later' },
    action: { kind: 'fail' },
  });
  await scene.engine();
  await scene.finish(runNo);
  const { rows } = await pool().query<{ campaign_id: string }>(
    'SELECT campaign_id FROM delivery_runs WHERE run_no = $1',
    [runNo],
  );
  scene.platform.answer = () => undefined;
  const retry = await scene.startRunOf({
    ...{ message, category: 'utility', audience: { failedOf: rows[0]?.campaign_id ?? '' } },
    split: { ...split, turns: [], testSize: null },
  });
  await scene.finish(retry);
  const first = new Map((await rowsOf(runNo)).map(({ address, variant }) => [address, variant]));
  expect(sentLetters().size).toBe(60);
  for (const [to, letter] of sentLetters()) expect(letter).toBe('ABC'[first.get(to) ?? 9]);
});

test('what happens to each variant counts for its own template', async () => {
  const templates = [randomUUID(), randomUUID()];
  const runNo = await addPeopleAndStart(60, { split: { ...split, templates } });
  await scene.engine();
  await waitFor(async () => (await scene.progress(runNo)).counters.accepted === 30);
  await inTransaction(pool(), (client) => releaseRest(client, runNo, 2));
  await scene.finish(runNo);
  const { rows } = await pool().query<{ template: string | null; sent: number }>(
    'SELECT template_id AS template, sum(sent)::integer AS sent FROM message_rollups_now WHERE sent <> 0 GROUP BY 1',
  );
  expect(new Map(rows.map(({ template, sent }) => [template, sent]))).toEqual(
    new Map([
      [null, 10],
      [templates[0], 10],
      [templates[1], 40],
    ]),
  );
});
