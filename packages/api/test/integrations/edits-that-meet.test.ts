import { QueryError } from '@app/database/query-error';
import { isThorough } from '@app/database/testing/thorough';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { contractVendors, type ContractVendor } from './contract-vendors.ts';
import { openVendors } from './open-vendor.ts';

/** What a process that died left behind: its connection to the database is gone. */
const DIED = '57P01';

/** Edits of people that fall between two moments of a sync. A write of the connector waits for what the test does before and after it arrives. */
const meetings = { before: nothing, after: nothing };
async function nothing(): Promise<void> {}

const { hubspot, salesforce, shopify, mailchimp } = contractVendors;
const vendors: Record<string, ContractVendor> = Object.fromEntries(
  Object.entries({ hubspot, salesforce, shopify, mailchimp }).map(([name, vendor]) => [
    name,
    { ...vendor, kind: (options: { sandboxUrl: string | undefined }) => waiting(vendor.kind(options)) },
  ]),
);

function waiting(kind: ConnectorKind): ConnectorKind {
  return {
    ...kind,
    open(credentials, options) {
      const opened = kind.open(credentials, options);
      const contacts = opened.contacts!; // of those above each has them
      return {
        ...opened,
        contacts: {
          ...contacts,
          async push(records) {
            await meetings.before();
            const outcome = await contacts.push(records);
            await meetings.after();
            return outcome;
          },
        },
      };
    },
  };
}

let opened: Awaited<ReturnType<typeof openVendors>>;
beforeAll(async () => {
  opened = await openVendors(vendors);
});
afterAll(() => opened.close());

// `npm run faults -- connectors` plays it with each service.
const played = Object.entries(vendors).slice(0, isThorough ? undefined : 1);
describe.each(played)('edits that meet in a sync with %s', (name, vendor) => {
  let scene: ReturnType<typeof opened.sceneOf>;
  let record: string;
  beforeEach(async () => {
    scene = opened.sceneOf(name);
    for (const table of ['integrations', 'contacts'])
      await scene.fixture.db.systemPool.query(`DELETE FROM ${table}`);
    vendor.clear(scene.sandbox);
    record = vendor.add(scene.sandbox, {
      ...{ name: 'Ana Diaz', phone: '+34612345601', email: 'ana@mail.example' },
    });
    await scene.connect();
    await scene.untilStill();
    await scene.sync();
    const { version, mapping } = await scene.read();
    const settings = { version, mapping, frequency: 'realtime', createsThere: false, createsTag: '' };
    const saved = await scene.admin.put(`/api/integrations/${name}`, settings);
    if (saved.status !== 200) throw new Error(await saved.text());
  });
  const here = async () => {
    const answer = await scene.admin.get('/api/contacts?limit=10');
    return (await answer.json<{ items: { id: string; name: string; email: string; version: number }[] }>())
      .items[0]!; // the sync brought it
  };
  const edit = async (changes: object) => {
    const { id, version } = await here();
    expect((await scene.admin.patch(`/api/contacts/${id}`, { ...changes, version })).status).toBe(200);
    await expect.poll(isSoon).toBe(true);
  };
  /** Whether the fact of an edit was heard: the next run is due within seconds. */
  const isSoon = async () => {
    const { nextSyncAt } = await scene.read();
    return nextSyncAt !== null && Date.parse(nextSyncAt) <= scene.fixture.parts.clock().getTime() + 6_000;
  };
  const there = () => vendor.read(scene.sandbox, record);
  /** What is due by now, and nothing else: nobody presses a button. */
  const nextRun = async () => {
    scene.fixture.advance(6_000);
    await beginDueRuns(scene.fixture.parts);
    expect(await scene.read()).toMatchObject({ status: 'syncing' });
    expect(await scene.untilStill()).toMatchObject({ status: 'connected', problem: null, errors: 0 });
  };
  const once = (act: () => Promise<void>) => async () => {
    Object.assign(meetings, { before: nothing, after: nothing });
    await act();
  };

  longTest.each(['before', 'after'] as const)(
    'one here, %s our write arrives there, is sent by the next run',
    async (moment) => {
      await edit({ name: 'Ana First' });
      meetings[moment] = once(() => edit({ name: 'Ana Second' }));
      await nextRun();
      expect(there().name).toBe('Ana First');
      await nextRun();
      expect([(await here()).name, there().name]).toEqual(['Ana Second', 'Ana Second']);
    },
  );

  longTest.each(['before', 'after'] as const)(
    'one there, of another field, %s our write arrives, comes in by the next run',
    async (moment) => {
      await edit({ name: 'Ana Here' });
      meetings[moment] = once(async () => vendor.change(scene.sandbox, record, { phone: '+34612345699' }));
      await nextRun();
      expect(there()).toMatchObject({ name: 'Ana Here', phone: '+34612345699' });
      await scene.sync();
      expect(await here()).toMatchObject({ name: 'Ana Here', phone: '+34612345699' });
      expect(there()).toMatchObject({ name: 'Ana Here', phone: '+34612345699' });
    },
  );

  test('one here, after the write that created the contact there got no answer, is sent and not lost', async () => {
    const made = { name: 'Ben Diaz', phone: '+34612345602', email: 'ben@mail.example', tags: [] };
    const added = await scene.admin.post('/api/contacts', made, crypto.randomUUID());
    const { id } = await added.json<{ id: string }>();
    const { version: known, mapping, frequency } = await scene.read();
    const settings = { version: known, mapping, frequency, createsThere: true, createsTag: '' };
    expect((await scene.admin.put(`/api/integrations/${name}`, settings)).status).toBe(200);
    meetings.after = once(() => Promise.reject(new QueryError({ code: DIED })));
    await scene.act('sync');
    await expect(scene.untilStill()).rejects.toThrow(DIED);
    expect(await scene.untilStill()).toMatchObject({ status: 'connected', errors: 0 });
    const { version } = await (await scene.admin.get(`/api/contacts/${id}`)).json<{ version: number }>();
    const edited = await scene.admin.patch(`/api/contacts/${id}`, { name: 'Ben Here', version });
    expect(edited.status).toBe(200);
    // Some services know their time to the second: their write may seem to be the newer one.
    await scene.fixture.db.systemPool.query(
      `UPDATE contacts SET updated_at = updated_at - interval '1 minute' WHERE id = $1`,
      [id],
    );
    expect(await scene.sync()).toMatchObject({ status: 'connected', errors: 0 });
    const names = vendor.list(scene.sandbox).map((one) => vendor.read(scene.sandbox, one).name);
    expect(names.toSorted()).toEqual(['Ana Diaz', 'Ben Here']);
    expect(await here()).toMatchObject({ name: 'Ben Here' });
  });

  test('one there, of the same field, after our write arrived, comes in by the next run', async () => {
    await edit({ name: 'Ana Here' });
    meetings.after = once(async () => vendor.change(scene.sandbox, record, { name: 'Ana There' }));
    await nextRun();
    await scene.sync();
    expect([(await here()).name, there().name]).toEqual(['Ana There', 'Ana There']);
  });

  longTest.each<[string, () => void, object]>([
    [
      'changes',
      () => vendor.change(scene.sandbox, record, { phone: '+34612345688' }),
      { phone: '+34612345688' },
    ],
    ['says an opt-out', () => vendor.optOut?.(scene.sandbox, record), {}],
  ])(
    'one here, while a record that %s is being applied, waits for nothing, and neither is lost',
    async (_, act, more) => {
      act();
      const { id } = await here();
      await scene.act('sync');
      const { db } = scene.fixture;
      const person = await db.systemPool.connect();
      try {
        // A person saves: the row is locked until the transaction ends, and the sync waits for it.
        await person.query('BEGIN');
        await person.query(
          `UPDATE contacts SET name = 'Ana Here', version = version + 1, updated_at = now() WHERE id = $1`,
          [id],
        );
        const running = scene.untilStill();
        const { rows } = await person.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        const waits = async () =>
          (
            await db.systemPool.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [
              rows[0]!.pid,
            ])
          ).rowCount; // one row
        await expect.poll(waits).toBe(1);
        await person.query('COMMIT');
        expect(await running).toMatchObject({ status: 'connected', errors: 0 });
      } finally {
        person.release();
      }
      const { items } = await (
        await scene.admin.get(`/api/integrations/${name}/runs`)
      ).json<{ items: { counts: object }[] }>();
      expect(items[0]?.counts).toMatchObject({ updated: 1, failed: 0, sendFailed: 0 });
      await scene.sync();
      expect(await here()).toMatchObject({ name: 'Ana Here', ...more });
      expect(there()).toMatchObject({ name: 'Ana Here', ...more });
    },
  );
});
