import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { SendResult } from '@app/domain/messaging/channel-port';
import type { RejectionAction } from '@app/domain/messaging/rejection';
import { systemClock } from '../src/delivery-host.ts';
import { cancelRun, pauseRun, resolveUnknown, resumeRun } from '../src/run-controls.ts';
import { inTransaction } from '../src/transaction.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';
import { readRecipients } from './support/read-recipients.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

const sentTo = () => scene.platform.ledger.map(({ to }) => to);

async function expectNobodyTwice(): Promise<void> {
  expect(new Set(sentTo()).size).toBe(sentTo().length);
}

function refuse(code: string, action: RejectionAction): SendResult {
  return { outcome: 'refused', error: { code, title: `Error ${code}` }, action };
}

test('everybody gets the message once, with their own name in it', async () => {
  await scene.addContacts(1_500);
  await scene.engine();
  const runNo = await scene.startRunOf();
  const { counters } = await scene.finish(runNo);
  expect(counters).toMatchObject({ total: 1_500, accepted: 1_500, pending: 0 });
  expect(scene.platform.ledger).toHaveLength(1_500);
  await expectNobodyTwice();
  expect(scene.platform.ledger.find(({ to }) => to === '+447710000007')?.body).toEqual({
    type: 'text',
    body: 'Hello Person 7',
  });
  await waitFor(() => scene.events.some(({ kind, state }) => kind === 'run_state' && state === 'completed'));
});

test('a custom field is read when the message leaves, by the first try and by the next ones', async () => {
  const [ann, , cleo] = await scene.addContacts(3);
  const tier = randomUUID();
  const set = (contactId: string | undefined, value: string) =>
    scene.database.systemPool.query(`UPDATE contacts SET custom_values = $2 WHERE id = $1`, [
      contactId,
      { [tier]: value },
    ]);
  await set(ann, 'Silver');
  const runNo = await scene.startRunOf({
    message: {
      content: { type: 'text', body: '{{name}}: {{tier}}' },
      variables: { tier: { customField: tier, fallback: 'none' } },
      businessName: 'Shop',
    },
  });
  // Frozen is who gets it, not what is known of them.
  await set(ann, 'Gold');
  await set(cleo, 'Bronze');
  const tried = new Set<string>();
  scene.platform.answer = ({ to }) => {
    if (tried.has(to)) return undefined;
    tried.add(to);
    return refuse('131016', { kind: 'retry', afterMs: 50, maxAttempts: 3, pauses: 'recipient' });
  };
  await scene.engine();
  await scene.finish(runNo);
  const texts = ['Person 1: Gold', 'Person 2: none', 'Person 3: Bronze'];
  expect(scene.platform.ledger).toHaveLength(3);
  for (const body of texts)
    expect(scene.platform.ledger).toContainEqual(expect.objectContaining({ body: { type: 'text', body } }));
});

longTest('a large audience is sent to while the rest of it is still being frozen', async () => {
  await scene.addContacts(3_000);
  await scene.engine();
  const started = await scene.start({ largeFrom: 1_000, headSize: 100 });
  expect(started).toMatchObject({ outcome: 'started', isFrozen: false });
  const { counters } = await scene.finish('runNo' in started ? started.runNo : 0);
  expect(counters).toMatchObject({ total: 3_000, accepted: 3_000 });
  await expectNobodyTwice();
});

test('four engines share eight channels without sending twice', async () => {
  await scene.addContacts(200);
  const runs: number[] = [];
  for (let channel = 0; channel < 8; channel += 1)
    runs.push(await scene.startRunOf({ channelId: await scene.addChannel() }));
  await Promise.all([1, 2, 3, 4].map(() => scene.engine()));
  for (const runNo of runs) expect((await scene.finish(runNo)).counters.accepted).toBe(200);
  expect(scene.platform.ledger).toHaveLength(1_600);
  expect(new Set(scene.platform.ledger.map(({ tag }) => tag)).size).toBe(1_600);
});

longTest('campaigns of one number take turns', async () => {
  await scene.addContacts(300);
  scene.messagesPerSecond = 200;
  const [first, second] = [await scene.startRunOf(), await scene.startRunOf()];
  await scene.engine();
  await waitFor(() => scene.platform.ledger.length > 200);
  const early = scene.platform.ledger.slice(0, 200).map(({ tag }) => tag.split('.')[1]);
  for (const runNo of [first, second]) {
    const share = early.filter((name) => name === runNo.toString(36)).length;
    expect(share).toBeGreaterThan(60);
  }
});

test('pause stops within a second and resume goes on exactly where it stopped', async () => {
  await scene.addContacts(600);
  scene.messagesPerSecond = 400;
  await scene.engine();
  const runNo = await scene.startRunOf();
  await waitFor(() => scene.platform.ledger.length > 100);
  expect(await pauseRun(scene.database.systemPool, runNo)).toBe(true);
  const sentOf = () => scene.platform.ledger.filter(({ tag }) => tag.split('.')[1] === runNo.toString(36));
  // Another run of the number has its turns meanwhile.
  const [contactId] = await scene.addContacts(1);
  await scene.finish(await scene.startRunOf({ audience: { contactIds: [contactId!] } }));
  const atPause = sentOf().length;
  const [last] = await scene.addContacts(1);
  await scene.finish(await scene.startRunOf({ audience: { contactIds: [last!] } }));
  expect(sentOf()).toHaveLength(atPause);
  expect(atPause).toBeLessThan(600);
  expect((await scene.progress(runNo)).counters.unknown).toBe(0);
  expect(await resumeRun(scene.database.systemPool, runNo)).toBe(true);
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 600, unknown: 0 });
  await expectNobodyTwice();
});

longTest('cancel lets nothing more leave and counts those who waited as cancelled', async () => {
  await scene.addContacts(7_000);
  scene.messagesPerSecond = 300;
  await scene.engine();
  const runNo = await scene.startRunOf();
  await waitFor(() => scene.platform.ledger.length > 50);
  expect(await cancelRun(scene.database.systemPool, runNo)).toBe(true);
  const { counters } = await scene.finish(runNo, 'cancelled');
  expect(counters.accepted).toBe(scene.platform.ledger.length);
  expect(counters.accepted + counters.cancelled).toBe(7_000);
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toEqual(recounted);
  expect(await resumeRun(scene.database.systemPool, runNo)).toBe(false);
});

test('people who opted out, were blocked or deleted after the start get nothing', async () => {
  const ids = await scene.addContacts(30);
  const runNo = await scene.startRunOf();
  const pool = scene.database.systemPool;
  await pool.query('UPDATE contacts SET opted_out_at = now() WHERE id = ANY($1)', [ids.slice(0, 3)]);
  await pool.query(`UPDATE contacts SET status = 'blocked' WHERE id = ANY($1)`, [ids.slice(3, 5)]);
  await pool.query('DELETE FROM contacts WHERE id = $1', [ids[5]]);
  await scene.engine();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 24, cancelled: 6 });
  const reasons = (await readRecipients(scene, runNo)).flatMap(({ outcome, code }) =>
    outcome === 'cancelled' ? [code] : [],
  );
  expect(reasons.toSorted()).toEqual([
    'blocked',
    'blocked',
    'contact_deleted',
    'opted_out',
    'opted_out',
    'opted_out',
  ]);
});

test('a frozen sender is replaced; when it wakes up it can neither send nor write', async () => {
  await scene.addContacts(400);
  scene.messagesPerSecond = 500;
  let isFrozen = false;
  const wakeUp: (() => void)[] = [];
  scene.platform.answer = () =>
    isFrozen ? new Promise<undefined>((resolve) => wakeUp.push(() => resolve(undefined))) : undefined;
  const clock = {
    now: systemClock.now,
    after: (ms: number, call: () => void) => {
      const wait = (): void => {
        if (isFrozen) wakeUp.push(call);
        else call();
      };
      return systemClock.after(ms, wait);
    },
  };
  const frozen = await scene.engine({ leaseMs: 600, clock });
  const runNo = await scene.startRunOf();
  await waitFor(() => scene.platform.ledger.length > 50);
  isFrozen = true;
  await waitFor(() => wakeUp.length > 3);
  scene.platform.answer = () => undefined;
  await scene.engine({ leaseMs: 600 });
  const { counters } = await scene.finish(runNo);
  expect(counters.accepted + counters.unknown).toBe(400);
  expect(counters.unknown).toBeGreaterThan(0);
  isFrozen = false;
  for (const call of wakeUp) call();
  // Whatever it still has under way comes to its end.
  await frozen.stop(10_000);
  expect((await scene.progress(runNo)).counters).toEqual(counters);
  await expectNobodyTwice();
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toEqual(recounted);
});

test('a stopped engine hands over without leaving anybody in doubt', async () => {
  await scene.addContacts(500);
  scene.platform.latencyMs = 20;
  scene.messagesPerSecond = 400;
  const first = await scene.engine();
  const runNo = await scene.startRunOf();
  await waitFor(() => scene.platform.ledger.length > 100);
  await first.stop();
  expect(scene.platform.ledger.length).toBeLessThan(500);
  await scene.engine();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 500, unknown: 0 });
  await expectNobodyTwice();
});

test('refusals end by their kind: retried, waited for, held, opted out', async () => {
  const ids = await scene.addContacts(5);
  const phone = (n: number) => `+44771000000${n}`;
  let connects = 0;
  scene.platform.answer = ({ to, tag }) => {
    const isFirst = tag.endsWith('.1');
    if (to === phone(1) && isFirst)
      return refuse('131016', { kind: 'retry', afterMs: 50, maxAttempts: 3, pauses: 'recipient' });
    if (to === phone(2)) return refuse('131026', { kind: 'unreachable' });
    if (to === phone(3)) return refuse('131050', { kind: 'opt_out' });
    if (to === phone(4)) return refuse('131049', { kind: 'hold_recipient', hours: 24 });
    if (to === phone(5) && connects++ === 0) return { outcome: 'not_sent', reason: 'connect_refused' };
    return undefined;
  };
  await scene.engine();
  const runNo = await scene.startRunOf();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 2, refused: 3 });
  const pool = scene.database.systemPool;
  await waitFor(async () => {
    const { rows } = await pool.query('SELECT id FROM contacts WHERE opted_out_at IS NOT NULL');
    const held = await pool.query("SELECT FROM marketing_holds WHERE until > now() + interval '23 hours'");
    return rows.length === 1 && held.rowCount === 1;
  });
  expect(ids).toHaveLength(5);
  const next = await scene.startRunOf();
  expect((await scene.progress(next)).counters).toMatchObject({ total: 5, cancelled: 2 });
});

test('trouble with the account stops the channel, says why, and a resume goes on', async () => {
  await scene.addContacts(50);
  let isStopped = true;
  scene.platform.answer = () =>
    isStopped && scene.platform.ledger.length >= 10
      ? refuse('131042', { kind: 'stop_channel', blocks: 'everything' })
      : undefined;
  scene.messagesPerSecond = 100;
  await scene.engine();
  const runNo = await scene.startRunOf();
  const paused = await scene.finish(runNo, 'paused');
  expect(paused.pause).toMatchObject({ reason: 'channel_stopped', code: '131042', detail: 'Error 131042' });
  const { rows } = await scene.database.systemPool.query('SELECT stopped_code FROM channels');
  expect(rows).toEqual([{ stopped_code: '131042' }]);
  isStopped = false;
  await resumeRun(scene.database.systemPool, runNo);
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 50, refused: 0, unknown: 0 });
  await expectNobodyTwice();
});

test('a run that used up the daily limit pauses itself until the next day', async () => {
  await scene.addContacts(30);
  scene.limits = { perDay: 12 };
  await scene.engine();
  const runNo = await scene.startRunOf();
  const paused = await scene.finish(runNo, 'paused');
  await waitFor(() => scene.platform.ledger.length === 12);
  expect(paused.pause?.reason).toBe('daily_limit');
  expect((paused.pause?.resumeAt ?? 0) % 86_400_000).toBe(0);
  expect(paused.pause?.resumeAt).toBeGreaterThan(Date.now());
  await scene.database.systemPool.query(
    `UPDATE delivery_usage SET day = day - 1; UPDATE delivery_runs SET resume_at = now();`,
  );
  await waitFor(() => scene.platform.ledger.length === 24);
});

test('an operator settles those in doubt in one act', async () => {
  await scene.addContacts(4);
  let isLost = true;
  scene.platform.answer = () => (isLost ? { outcome: 'unknown', reason: 'connection_lost' } : undefined);
  await scene.engine();
  const runNo = await scene.startRunOf();
  expect((await scene.finish(runNo)).counters.unknown).toBe(4);
  isLost = false;
  const pool = scene.database.systemPool;
  const resolve = (...rest: [Parameters<typeof resolveUnknown>[2], { seqs: number[] }?]) =>
    inTransaction(pool, (client) => resolveUnknown(client, runNo, ...rest));
  expect(await resolve('mark_sent', { seqs: [0] })).toBe(1);
  expect(await resolve('mark_not_sent', { seqs: [1] })).toBe(1);
  expect(await resolve('mark_not_sent_and_send')).toBe(2);
  await waitFor(() => scene.platform.ledger.length === 2);
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 3, cancelled: 1, unknown: 0 });
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toEqual(recounted);
});

longTest(
  'a platform that answers nothing is left alone instead of putting the whole audience in doubt',
  async () => {
    await scene.addContacts(2_000);
    scene.platform.answer = () => ({ outcome: 'unknown', reason: 'server_error' });
    await scene.engine();
    const runNo = await scene.startRunOf();
    const isHeld = async () =>
      (await scene.database.systemPool.query('SELECT FROM delivery_channels WHERE hold_until > now()'))
        .rowCount === 1;
    await waitFor(isHeld);
    expect((await scene.progress(runNo)).counters.unknown).toBeLessThanOrEqual(256 + 12);
  },
);

test('a complaint about speed slows the number down and the message goes out again', async () => {
  await scene.addContacts(120);
  let complaints = 0;
  scene.platform.answer = () =>
    scene.platform.ledger.length >= 40 && complaints < 3
      ? ((complaints += 1), refuse('130429', { kind: 'lower_rate' }))
      : undefined;
  scene.messagesPerSecond = 100;
  await scene.engine();
  const runNo = await scene.startRunOf();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 120, refused: 0 });
  const { rows } = await scene.database.systemPool.query('SELECT rate_per_second FROM delivery_channels');
  expect(rows).toEqual([{ rate_per_second: 75 }]);
  await expectNobodyTwice();
});

test('a changed connection is taken over in the middle of a campaign', async () => {
  await scene.addContacts(300);
  scene.messagesPerSecond = 150;
  const forgotten: string[] = [];
  await scene.engine({ evictChannel: (id) => Promise.resolve(void forgotten.push(id)) });
  const runNo = await scene.startRunOf();
  await waitFor(() => scene.platform.ledger.length > 30);
  scene.messagesPerSecond = 1_000;
  await scene.database.systemPool.query(
    `UPDATE channels SET messages_per_second = 1000, credentials = credentials || '{"version": 2}'`,
  );
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 300, unknown: 0 });
  expect(forgotten).toEqual([scene.channelId]);
  await expectNobodyTwice();
});

test('free text leaves within the window of its own number alone', async () => {
  const [here, elsewhere, nowhere] = await scene.addContacts(3);
  const query = (text: string, values: unknown[]) => scene.database.systemPool.query(text, values);
  const other = randomUUID();
  await query(
    `INSERT INTO channels (id, workspace_id, kind, address, display_name, credentials, messages_per_second)
     SELECT $1, workspace_id, kind, 'another', display_name, credentials, messages_per_second FROM channels WHERE id = $2`,
    [other, scene.channelId],
  );
  await query(`UPDATE contacts SET window_expires_at = now() + interval '5 hours'`, []);
  const writeTo = (contactId: string | undefined, channelId: string, hours: number) =>
    query(
      `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
       VALUES ($1, $2, $3, $4, now(), now() + make_interval(hours => $5))`,
      [randomUUID(), scene.workspaceId, contactId, channelId, hours],
    );
  await writeTo(here, scene.channelId, 5);
  await writeTo(here, other, -5);
  await writeTo(elsewhere, other, 5);
  await writeTo(elsewhere, scene.channelId, -1);
  await writeTo(nowhere, other, 5);
  await scene.engine();
  const { counters } = await scene.finish(await scene.startRunOf({ category: 'service' }));
  expect(counters).toMatchObject({ total: 3, accepted: 1, cancelled: 2 });
});
