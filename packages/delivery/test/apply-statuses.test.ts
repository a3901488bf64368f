import fc from 'fast-check';
import { changeConsent } from '@app/database/contacts/change-consent';
import { runs } from '@app/database/testing/thorough';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { applyStatuses } from '../src/statuses/apply-statuses.ts';
import type { StatusReport } from '../src/core/aggregate-statuses.ts';
import { applyDeltas } from '../src/statuses/apply-deltas.ts';
import { resumeRun } from '../src/run-controls.ts';
import type { SqlClient } from '../src/sql-client.ts';
import { inTransaction } from '../src/transaction.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';
import { readRecipients } from './support/read-recipients.ts';

let scene: DeliveryScene;

beforeAll(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(200);
});

afterAll(() => scene.close());

const T = Date.UTC(2026, 5, 1, 12);

function report(runNo: number, seq: number, status: StatusReport['status'], at = T): StatusReport {
  return {
    workspaceId: scene.workspaceId,
    tag: formatDeliveryTag({ runNo, seq, attempt: 1 }),
    status,
    occurredAt: at,
    messageId: `wamid.${runNo}.${seq}`,
    error: status === 'failed' ? { code: '131026', title: 'Undeliverable' } : null,
    action: null,
  };
}

const apply = (reports: StatusReport[]) =>
  inTransaction(scene.database.systemPool, (client) => applyStatuses(client, reports));

/** The other tests' runs were never meant to be sent. */
const closeRuns = () =>
  scene.database.systemPool.query(`UPDATE delivery_runs SET state = 'completed', completed_at = now()`);

async function expectCountersToBeTrue(runNo: number) {
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toEqual(recounted);
  return shown;
}

test('a report proves acceptance, read implies delivered, a late failure does not undo arrival', async () => {
  const runNo = await scene.startRunOf();
  const result = await apply([
    report(runNo, 0, 'sent'),
    report(runNo, 1, 'read'),
    report(runNo, 2, 'failed'),
    report(runNo, 3, 'failed', T + 9),
    report(runNo, 3, 'delivered', T + 5),
  ]);
  expect(result).toMatchObject({ matched: 5, unmatched: [], ofNobody: [] });
  expect(await expectCountersToBeTrue(runNo)).toMatchObject({
    accepted: 4,
    sent: 3,
    delivered: 2,
    read: 1,
    failed: 1,
  });
  const [, read, failed] = await readRecipients(scene, runNo);
  expect([read?.deliveredAt?.getTime(), failed?.code]).toEqual([T, '131026']);
});

test('a report changes nothing of a channel that its signer does not speak for', async () => {
  const runNo = await scene.startRunOf();
  const { rows } = await scene.database.systemPool.query<{ kind: string }>(
    'SELECT kind FROM channels WHERE id = $1',
    [scene.channelId],
  );
  const { kind } = rows[0]!; // the channel of the scene
  const signers = [
    { kind, channelId: randomUUID() },
    { kind: 'another kind', channelId: null },
    { kind, channelId: null },
    { kind, channelId: scene.channelId },
  ];
  const result = await apply(
    signers.map((provenBy, seq) => ({ ...report(runNo, seq, 'delivered'), provenBy })),
  );
  expect(result).toMatchObject({ matched: 2, unmatched: [0, 1] });
  expect(await expectCountersToBeTrue(runNo)).toMatchObject({ accepted: 2, delivered: 2 });
});

test('any order, with any doubles, in any batches, ends in the same figures', async () => {
  const story = (runNo: number) =>
    Array.from({ length: 12 }, (_, seq) => [
      report(runNo, seq, 'sent', T + seq),
      ...(seq % 4 === 3 ? [report(runNo, seq, 'failed', T + 20)] : [report(runNo, seq, 'delivered', T + 10)]),
      ...(seq % 3 === 0 ? [report(runNo, seq, 'read', T + 30), report(runNo, seq, 'played', T + 40)] : []),
    ]).flat();
  const model = fc.gen().map((gen) => {
    const order = story(0).map((_, index) => index);
    const doubled = gen(() => fc.subarray(order));
    const shuffled = gen(() =>
      fc.shuffledSubarray([...order, ...doubled], { minLength: order.length + doubled.length }),
    );
    return { shuffled, size: gen(() => fc.integer({ min: 1, max: 9 })) };
  });
  await fc.assert(
    fc.asyncProperty(model, async ({ shuffled, size }) => {
      const runNo = await scene.startRunOf();
      const reports = story(runNo);
      for (let from = 0; from < shuffled.length; from += size)
        await apply(shuffled.slice(from, from + size).flatMap((index) => reports[index] ?? []));
      expect(await expectCountersToBeTrue(runNo)).toMatchObject({
        accepted: 12,
        sent: 12,
        delivered: 10,
        read: 4,
        failed: 2,
      });
      const { rows } = await scene.database.systemPool.query(
        'SELECT count(DISTINCT (seq, status))::integer AS kinds FROM delivery_events WHERE run_no = $1',
        [runNo],
      );
      expect(rows).toEqual([{ kinds: 12 + 12 + 4 }]);
    }),
    { numRuns: runs(25) },
  );
});

test('the same webhook again stores nothing and counts nothing', async () => {
  const runNo = await scene.startRunOf();
  const batch = [report(runNo, 0, 'sent'), report(runNo, 0, 'delivered', T + 1)];
  await apply(batch);
  await apply(batch);
  await Promise.all([apply(batch), apply(batch), apply(batch)]);
  const { rowCount } = await scene.database.systemPool.query(
    'SELECT FROM delivery_events WHERE run_no = $1',
    [runNo],
  );
  expect(rowCount).toBe(2);
  expect(await expectCountersToBeTrue(runNo)).toMatchObject({ sent: 1, delivered: 1 });
});

test('reports of others change nothing: foreign tags, other workspaces, unknown runs', async () => {
  const runNo = await scene.startRunOf();
  const result = await apply([
    { ...report(runNo, 0, 'sent'), tag: 'somebody-elses' },
    { ...report(runNo, 1, 'sent'), tag: null },
    { ...report(runNo, 2, 'sent'), workspaceId: randomUUID() },
    report(runNo, 9_999, 'sent'),
    report(999_999, 0, 'sent'),
    report(runNo, 3, 'sent'),
  ]);
  expect(result.matched).toBe(1);
  expect(result.unmatched.toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(await expectCountersToBeTrue(runNo)).toMatchObject({ accepted: 1 });
});

test('a report settles what was in doubt', async () => {
  scene.platform.answer = () => ({ outcome: 'unknown', reason: 'connection_lost' });
  await closeRuns();
  const engine = await scene.engine();
  const { rows } = await scene.database.systemPool.query<{ id: string }>(
    'SELECT id FROM contacts ORDER BY id LIMIT 3',
  );
  const runNo = await scene.startRunOf({ audience: { contactIds: rows.map(({ id }) => id) } });
  expect((await scene.finish(runNo)).counters.unknown).toBe(3);
  await apply([report(runNo, 0, 'sent'), report(runNo, 1, 'failed')]);
  expect(await expectCountersToBeTrue(runNo)).toMatchObject({ accepted: 2, unknown: 1, sent: 1, failed: 1 });
  await engine.stop();
  scene.platform.answer = () => undefined;
});

test('a failure that concerns the person or the account acts on it', async () => {
  const runNo = await scene.startRunOf();
  const pool = scene.database.systemPool;
  await apply([
    {
      ...report(runNo, 0, 'failed'),
      error: { code: '131050', title: 'Stopped' },
      action: { kind: 'opt_out' },
    },
    {
      ...report(runNo, 1, 'failed', Date.now()),
      error: { code: '131049', title: 'Limit' },
      action: { kind: 'hold_recipient', hours: 24 },
    },
    {
      ...report(runNo, 2, 'failed'),
      error: { code: '131048', title: 'Spam' },
      action: { kind: 'stop_campaign', recipient: 'failed' },
    },
  ]);
  expect((await pool.query('SELECT FROM contacts WHERE opted_out_at IS NOT NULL')).rowCount).toBe(1);
  expect((await pool.query('SELECT FROM marketing_holds')).rowCount).toBe(1);
  expect(await scene.progress(runNo)).toMatchObject({
    state: 'paused',
    pause: { reason: 'campaign_stopped', code: '131048', detail: 'Spam' },
  });
  await pool.query('DELETE FROM marketing_holds; UPDATE contacts SET opted_out_at = NULL;');
});

test('a failure acts once, and a notice that is older than a resume stops nothing', async () => {
  const pool = scene.database.systemPool;
  await closeRuns();
  const [runNo, otherNo] = [await scene.startRunOf(), await scene.startRunOf()];
  const second = Math.floor(Date.now() / 1000) * 1000;
  const stop = (seq: number, kind: 'stop_channel' | 'stop_campaign', at = second - 60_000): StatusReport => ({
    ...report(runNo, seq, 'failed', at),
    error: { code: '131042', title: 'Payment' },
    action: kind === 'stop_channel' ? { kind, blocks: 'campaigns' } : { kind, recipient: 'failed' },
  });
  const hold: StatusReport = {
    ...report(runNo, 5, 'failed', second - 60_000),
    action: { kind: 'hold_recipient', hours: 24 },
  };
  const states = async () => [
    (await scene.progress(runNo))?.state,
    (await scene.progress(otherNo))?.state,
    (await pool.query('SELECT FROM channels WHERE stopped_code IS NOT NULL')).rowCount,
  ];
  const resume = () => Promise.all([resumeRun(pool, runNo), resumeRun(pool, otherNo)]);
  await apply([stop(0, 'stop_channel'), hold]);
  expect(await states()).toEqual(['paused', 'paused', 1]);
  const held = async () => (await pool.query('SELECT until FROM marketing_holds')).rows;
  expect(await held()).toEqual([{ until: new Date(second - 60_000 + 24 * 3_600_000) }]);
  await resume();
  expect(await states()).toEqual(['ready', 'ready', 0]);

  // The same webhook again, also with another time; and others that the platform said before the resume.
  const before = await held();
  await apply([stop(0, 'stop_channel'), hold]);
  await apply([stop(0, 'stop_channel', second + 5_000), { ...hold, occurredAt: second }]);
  await apply([stop(1, 'stop_channel'), stop(2, 'stop_campaign')]);
  expect(await states()).toEqual(['ready', 'ready', 0]);
  expect(await held()).toEqual(before);

  await apply([stop(3, 'stop_campaign', Date.now() + 1000)]);
  expect(await states()).toEqual(['paused', 'ready', 0]);
  await apply([stop(4, 'stop_channel', Date.now() + 1000)]);
  expect(await states()).toEqual(['paused', 'paused', 1]);
  await resume();
  await closeRuns();
  await pool.query('DELETE FROM marketing_holds');
});

test('however many failures of one batch stop a run, it is asked about and paused once', async () => {
  await closeRuns();
  const runNo = await scene.startRunOf({
    message: {
      ...scene.runInput().message,
      language: 'en',
      inLanguages: { de: { type: 'text', body: 'Hallo' } },
    },
  });
  const stops = Array.from({ length: 10 }, (_, seq): StatusReport => ({
    ...report(runNo, seq, 'failed', Date.now() - seq),
    error: { code: '132015', title: 'Paused' },
    action: { kind: 'stop_campaign', recipient: 'failed' },
  }));
  const asked: string[] = [];
  const applied = await inTransaction(scene.database.systemPool, (client) => {
    const watched = new Proxy<SqlClient>(client, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (name !== 'query' || typeof value !== 'function') return value;
        return (...values: unknown[]): unknown => {
          asked.push(JSON.stringify(values[0]));
          return value.apply(of, values);
        };
      },
    });
    return applyStatuses(watched, stops);
  });
  expect(applied.pausedRuns).toEqual([runNo]);
  expect(asked.filter((text) => text.includes('run.message'))).toHaveLength(1);
  expect(asked.filter((text) => text.includes('pause_reason = $2'))).toHaveLength(1);
  await closeRuns();
});

test('what failures say of people who were deleted comes back, under their numbers', async () => {
  const runNo = await scene.startRunOf();
  const { rows } = await scene.database.systemPool.query(
    `DELETE FROM contacts c USING delivery_recipients r
      WHERE r.run_no = $1 AND r.seq < 2 AND c.id = r.contact_id RETURNING c.workspace_id, c.phone, r.seq`,
    [runNo],
  );
  const phones = rows.toSorted((a, b) => a.seq - b.seq).map(({ phone }) => [phone]);
  const { ofNobody } = await apply([
    { ...report(runNo, 0, 'failed'), action: { kind: 'opt_out' } },
    { ...report(runNo, 1, 'failed'), action: { kind: 'hold_recipient', hours: 24 } },
    report(runNo, 2, 'failed'),
  ]);
  expect(ofNobody).toMatchObject([
    { identifiers: phones[0], word: { kind: 'opt_out', source: 'person', at: new Date(T) }, holdUntil: null },
    { identifiers: phones[1], word: null, holdUntil: new Date(T + 24 * 3_600_000) },
  ]);
});

test('an opt-out finds whoever has the number since the contact was deleted', async () => {
  const pool = scene.database.systemPool;
  const runNo = await scene.startRunOf();
  const { rows } = await pool.query(
    `WITH gone AS (DELETE FROM contacts c USING delivery_recipients r
        WHERE r.run_no = $1 AND r.seq = 0 AND c.id = r.contact_id RETURNING c.workspace_id, c.phone)
     SELECT * FROM gone`,
    [runNo],
  );
  await pool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone) VALUES (gen_random_uuid(), $1, 'Again', $2)`,
    [rows[0].workspace_id, rows[0].phone],
  );
  await apply([{ ...report(runNo, 0, 'failed'), action: { kind: 'opt_out' } }]);
  const stopped = await pool.query('SELECT name FROM contacts WHERE opted_out_at IS NOT NULL');
  expect(stopped.rows).toEqual([{ name: 'Again' }]);
  await pool.query('DELETE FROM contact_consents; UPDATE contacts SET opted_out_at = NULL;');
});

test('failures of many people act in as few statements as those of one', async () => {
  const runNo = await scene.startRunOf();
  const pool = scene.database.systemPool;
  await pool.query('DELETE FROM contact_consents');
  const stopped = (seq: number) => ({
    ...report(runNo, seq, 'failed'),
    error: { code: '131050', title: 'Stopped' },
    action: { kind: 'opt_out' } as const,
  });
  const statements = async (seqs: readonly number[]): Promise<number> => {
    let count = 0;
    await inTransaction(pool, (client) => {
      const counting: SqlClient = {
        query(...statement) {
          count += 1;
          return client.query(...statement);
        },
      };
      return applyStatuses(counting, seqs.map(stopped));
    });
    return count;
  };
  const ofOne = await statements([0]);
  expect(await statements([3, 1, 2])).toBe(ofOne);
  expect((await pool.query('SELECT FROM contacts WHERE opted_out_at IS NOT NULL')).rowCount).toBe(4);
  await pool.query('DELETE FROM contact_consents; UPDATE contacts SET opted_out_at = NULL;');
});

test('an opt-out of a report counts from its time: it undoes no consent that is newer, and none that is older stands against it', async () => {
  const runNo = await scene.startRunOf();
  const pool = scene.database.systemPool;
  await pool.query('DELETE FROM contact_consents');
  const contactOf = async (seq: number): Promise<string> =>
    (
      await pool.query('SELECT contact_id FROM delivery_recipients WHERE run_no = $1 AND seq = $2', [
        runNo,
        seq,
      ])
    ).rows[0].contact_id;
  const [before, after] = [await contactOf(0), await contactOf(1)];
  const optIn = (contactId: string, at: number) =>
    changeConsent(pool, [
      {
        ...{ workspaceId: scene.workspaceId, contactId, kind: 'opt_in', source: 'person' },
        at: new Date(at),
      },
    ]);
  await optIn(before, T - 60_000);
  await optIn(after, T + 60_000);
  const stopped = (seq: number) => ({
    ...{ ...report(runNo, seq, 'failed'), occurredAt: T, error: { code: '131050', title: 'Stopped' } },
    action: { kind: 'opt_out' } as const,
  });
  await apply([stopped(0), stopped(1)]);
  const { rows } = await pool.query('SELECT id, opted_out_at FROM contacts WHERE opted_out_at IS NOT NULL');
  expect(rows).toEqual([{ id: before, opted_out_at: new Date(T) }]);
  await pool.query('DELETE FROM contact_consents; UPDATE contacts SET opted_out_at = NULL;');
});

test('settling and reports at the same time neither block each other nor miscount', async () => {
  await scene.addContacts(1_000);
  await closeRuns();
  const runNo = await scene.startRunOf();
  const pending: Promise<unknown>[] = [];
  let seen: StatusReport[] = [];
  scene.platform.answer = ({ tag }) => {
    const seq = parseInt(tag.split('.')[2] ?? '', 36);
    seen.push(report(runNo, seq, 'delivered'), report(runNo, seq, 'sent'));
    if (seen.length > 60) {
      const batch = seen.toSorted(() => Math.random() - 0.5);
      seen = [];
      pending.push(apply(batch));
    }
    return undefined;
  };
  await scene.engine();
  await scene.finish(runNo);
  await Promise.all([...pending, apply(seen)]);
  const shown = await expectCountersToBeTrue(runNo);
  expect(shown).toMatchObject({ accepted: shown.total, delivered: shown.total, unknown: 0 });
  scene.platform.answer = () => undefined;
});

test('hourly figures are those of the recipients, before and after folding', async () => {
  const pool = scene.database.systemPool;
  const hourly = () =>
    pool.query(
      `SELECT sum(accepted)::integer AS accepted, sum(delivered)::integer AS delivered, sum(failed)::integer AS failed FROM message_stats_now`,
    );
  const counted = () =>
    pool.query(`SELECT count(*) FILTER (WHERE state = 2)::integer AS accepted,
      count(*) FILTER (WHERE state = 2 AND coalesce(delivered_at, read_at) IS NOT NULL)::integer AS delivered,
      count(*) FILTER (WHERE state = 2 AND failed_at IS NOT NULL AND coalesce(delivered_at, read_at) IS NULL)::integer AS failed
      FROM delivery_recipients`);
  expect((await hourly()).rows).toEqual((await counted()).rows);
  await waitFor(async () => {
    await applyDeltas(pool);
    return (await pool.query('SELECT FROM delivery_deltas')).rowCount === 0;
  });
  expect((await hourly()).rows).toEqual((await counted()).rows);
});
