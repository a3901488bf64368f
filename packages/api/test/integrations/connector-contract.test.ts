import { disconnectIntegrations } from '@app/database/integrations/reset-integrations';
import { holdRestoredIntegrations } from '@app/database/integrations/hold-restored-integrations';
import { isThorough, part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { contractVendors, type Someone } from './contract-vendors.ts';
import { openVendors } from './open-vendor.ts';

type Contact = {
  id: string;
  name: string;
  phone: string;
  email: string | null;
  optedOutAt: string | null;
  version: number;
};

/** What the engine decides is played with every second service, by turns: `npm run faults -- connectors` plays it with each. */
const inTurn = (name: string, from: number) =>
  part(Object.keys(contractVendors), 2, from).filter((one) => one === name);

let opened: Awaited<ReturnType<typeof openVendors>>;
beforeAll(async () => {
  opened = await openVendors(contractVendors);
});
afterAll(() => opened.close());

describe.each(Object.entries(contractVendors))('the connector of %s', (name, vendor) => {
  let scene: ReturnType<typeof opened.sceneOf>;
  beforeAll(() => {
    scene = opened.sceneOf(name);
  });
  beforeEach(async () => {
    for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list', 'erased_people'])
      await scene.fixture.db.systemPool.query(`DELETE FROM ${table}`);
    vendor.clear(scene.sandbox);
  });

  const add = (one: Partial<Someone> & { name: string }) =>
    vendor.add(scene.sandbox, {
      phone: '',
      email: `${one.name.replaceAll(' ', '.').toLowerCase()}@mail.example`,
      ...one,
    });
  const contacts = async () =>
    (await (await scene.admin.get('/api/contacts?limit=200&sort=name')).json<{ items: Contact[] }>()).items;
  const errors = async () =>
    (
      await (
        await scene.admin.get(`/api/integrations/${name}/errors`)
      ).json<{ items: { error: string; name: string }[] }>()
    ).items;
  const lastRun = async () =>
    (
      await (
        await scene.admin.get(`/api/integrations/${name}/runs`)
      ).json<{ items: { status: string; counts: Record<string, number>; problem: string | null }[] }>()
    ).items[0];
  const start = async () => {
    await scene.connect();
    await scene.untilStill();
    return scene.sync();
  };

  test('refuses wrong credentials, and stores nothing', async () => {
    vendor.faults(scene.sandbox).isRevoked = true;
    const sandboxValues = vendor.kind({ sandboxUrl: 'http://127.0.0.1' }).sandbox ?? {};
    const answer = await scene.admin.post(
      `/api/integrations/${name}/connect`,
      { values: sandboxValues },
      crypto.randomUUID(),
    );
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { code: 'integration_refused' } });
    expect((await scene.read()).status).toBe('disconnected');
  });

  longTest(
    'begins with a preview, brings everybody in once, carries edits and opt-outs both ways, and keeps the contact of a deleted record',
    async () => {
      const ana = add({ name: 'Ana Diaz', phone: '+34612345601' });
      const ben = add({ name: 'Ben Diaz', phone: '+34612345602' });
      const connected = await scene.connect();
      const secrets = Object.entries(vendor.kind({ sandboxUrl: 'x' }).sandbox ?? {})
        .filter(([field]) => /secret|token|key/i.test(field))
        .map(([, value]) => value);
      for (const secret of secrets)
        expect(JSON.stringify({ ...connected, sandbox: null })).not.toContain(secret);
      const { run } = await scene.untilStill();
      expect(run).toMatchObject({ trigger: 'preview', status: 'done', counts: { created: 2, failed: 0 } });
      expect(await contacts()).toEqual([]);
      await scene.sync();
      expect((await contacts()).map((one) => [one.name, one.phone])).toEqual([
        ['Ana Diaz', '+34612345601'],
        ['Ben Diaz', '+34612345602'],
      ]);
      const versions = (await contacts()).map(({ version }) => version);
      expect(await scene.sync()).toMatchObject({ status: 'connected', errors: 0 });
      expect((await lastRun())?.counts).toMatchObject({ created: 0, updated: 0, sent: 0, failed: 0 });
      expect((await contacts()).map(({ version }) => version)).toEqual(versions);

      vendor.change(scene.sandbox, ana, { name: 'Anita Diaz' });
      vendor.optOut?.(scene.sandbox, ana);
      const here = (await contacts()).find((one) => one.name === 'Ben Diaz')!; // brought by the sync
      expect(
        (await scene.admin.patch(`/api/contacts/${here.id}`, { name: 'Benno Diaz', version: here.version }))
          .status,
      ).toBe(200);
      const said = { kind: 'opt_out', text: 'by phone' };
      await scene.admin.post(`/api/contacts/${here.id}/consents`, said, crypto.randomUUID());
      await scene.sync();
      expect((await contacts()).map((one) => [one.name, one.optedOutAt !== null])).toEqual([
        ['Anita Diaz', vendor.optOut !== null],
        ['Benno Diaz', true],
      ]);
      expect(vendor.read(scene.sandbox, ben)).toMatchObject(
        vendor.isReadOnly
          ? { name: 'Ben Diaz', isOptedOut: false }
          : { name: 'Benno Diaz', isOptedOut: true },
      );
      await scene.sync();
      expect((await lastRun())?.counts).toMatchObject({ updated: 0, sent: 0, failed: 0 });

      vendor.remove(scene.sandbox, ana);
      await scene.sync();
      expect((await lastRun())?.counts).toMatchObject({ removed: vendor.seesDeletions ? 1 : 0 });
      expect(await contacts()).toHaveLength(2);
    },
  );

  // Ahead with the one half of the services, behind with the other.
  const clocks = [600_000, -600_000].filter((_, place) => inTurn(name, place).length > 0);
  longTest.each(clocks)(
    'the later edit holds, although the clock of the service differs by %i ms',
    async (ahead) => {
      vendor.faults(scene.sandbox).clockAheadMs = ahead;
      const ana = add({ name: 'Ana Diaz', phone: '+34612345601' });
      const ben = add({ name: 'Ben Diaz', phone: '+34612345602' });
      await start();
      const editHere = async (before: string, name: string) => {
        const { id, version } = (await contacts()).find((one) => one.name === before)!; // both are there
        expect((await scene.admin.patch(`/api/contacts/${id}`, { name, version })).status).toBe(200);
      };
      vendor.change(scene.sandbox, ana, { name: 'Ana There' });
      await editHere('Ben Diaz', 'Ben Here');
      // Both first edits were a while ago. The clock of the service is known to a second or two.
      vendor.age(scene.sandbox, ana, 10_000);
      await scene.fixture.db.systemPool.query(
        `UPDATE contacts SET updated_at = updated_at - interval '10 seconds' WHERE name = 'Ben Here'`,
      );
      await editHere('Ana Diaz', 'Ana Here');
      vendor.change(scene.sandbox, ben, { name: 'Ben There' });
      await scene.sync();
      // Of a service that is only read ours holds, by its mapping, and nothing is sent.
      const here = vendor.isReadOnly ? ['Ana Here', 'Ben Here'] : ['Ana Here', 'Ben There'];
      expect((await contacts()).map((one) => one.name)).toEqual(here);
      const there = [ana, ben].map((id) => vendor.read(scene.sandbox, id).name);
      expect(there).toEqual(vendor.isReadOnly ? ['Ana There', 'Ben There'] : here);
    },
  );

  longTest('creates contacts there once, however often it is asked to', async () => {
    const made = await scene.admin.post(
      '/api/contacts',
      { name: 'Here Only', phone: '+34612345621', email: 'here@mail.example', tags: [] },
      crypto.randomUUID(),
    );
    expect(made.status).toBe(200);
    await scene.connect();
    const { version, mapping, frequency } = await scene.untilStill();
    const put = await scene.admin.put(`/api/integrations/${name}`, {
      ...{ version, mapping, frequency, createsThere: true, createsTag: null },
    });
    expect(put.status).toBe(200);
    await scene.sync();
    const there = vendor.list(scene.sandbox);
    const created = { name: 'Here Only', phone: '+34612345621', email: 'here@mail.example' };
    expect(there.map((id) => vendor.read(scene.sandbox, id))).toMatchObject(
      vendor.isReadOnly ? [] : [created],
    );
    // As if the answer had never come: the record is found again, and not created twice.
    await scene.fixture.db.systemPool.query('DELETE FROM integration_records');
    await scene.sync();
    await scene.sync();
    expect(vendor.list(scene.sandbox)).toEqual(there);
    expect(await contacts()).toHaveLength(1);
  });

  longTest.each(inTurn(name, 1))(
    '%s goes on after a kill, a limit, an answer of HTML and a minute without it',
    async () => {
      for (let n = 0; n < 6; n += 1) add({ name: `Person ${n} Diaz`, phone: `+3461234570${n}` });
      await scene.connect();
      await scene.untilStill();
      await scene.act('sync');
      const killed = new AbortController();
      killed.abort();
      await expect(scene.untilStill(killed.signal)).rejects.toThrow('aborted');
      Object.assign(vendor.faults(scene.sandbox), { rejectNext: 2, retryAfterSeconds: 0 });
      await scene.untilStill();
      expect(await contacts()).toHaveLength(6);
      Object.assign(vendor.faults(scene.sandbox), { htmlNext: 1, failNext: 1 });
      expect((await scene.sync()).status).toBe('connected');
      expect(await lastRun()).toMatchObject({ status: 'done' });
    },
  );

  longTest(
    'takes a webhook that is signed, once or twice, and no other; none where the vendor has none',
    async () => {
      const ana = add({ name: 'Ana Diaz', phone: '+34612345601' });
      await start();
      const { webhook } = vendor;
      const url = `http://localhost:3000/webhooks/${name}/acme`;
      if (webhook === null) {
        expect((await scene.read()).webhookUrl).toBeNull();
        expect((await scene.fixture.app.request(url, { method: 'POST', body: '{}' })).status).toBe(404);
        return;
      }
      vendor.change(scene.sandbox, ana, { name: 'Anita Diaz' });
      const send = (secret?: string) => {
        const address = vendor.address?.(url, secret) ?? url;
        return scene.fixture.app.request(address, webhook(ana, url, Date.now(), secret));
      };
      expect((await send('another secret')).status).toBe(401);
      expect((await scene.untilStill()).status).toBe('connected');
      expect((await contacts())[0]?.name).toBe('Ana Diaz');
      expect((await send()).status).toBe(204);
      expect((await send()).status).toBe(204);
      // Of a service that is only read it brings bookings; who they are of is read by the next sync.
      await (vendor.isReadOnly ? scene.sync() : scene.untilStill());
      expect((await contacts()).map((one) => one.name)).toEqual(['Anita Diaz']);
    },
  );

  longTest.each(inTurn(name, 0))(
    '%s keeps contacts when it is disconnected, and begins with a preview when it is connected again',
    async () => {
      const ana = add({ name: 'Ana Diaz', phone: '+34612345601' });
      add({ name: 'Ben Diaz', phone: '+34612345602' });
      await start();
      const { mapping, version } = await scene.read();
      const chosen = mapping.map((one) => (one.ours === 'name' ? { ...one, wins: 'theirs' as const } : one));
      const settings = { frequency: 'hourly', mapping: chosen, createsThere: false, createsTag: '', version };
      const saved = await scene.admin.put(`/api/integrations/${name}`, settings);
      expect(saved.status).toBe(200);
      await scene.untilStill();
      expect(await scene.act('disconnect')).toMatchObject({ status: 'disconnected', keyHint: null });
      expect(await contacts()).toHaveLength(2);
      const { rows } = await scene.fixture.db.systemPool.query('SELECT credentials FROM integrations');
      expect(rows).toEqual([{ credentials: null }]);

      vendor.change(scene.sandbox, ana, { name: 'Anita Diaz' });
      add({ name: 'Cem Diaz', phone: '+34612345603' });
      expect(await scene.connect()).toMatchObject({ isStarted: false, mapping: chosen });
      const { run } = await scene.untilStill();
      expect(run).toMatchObject({
        ...{ trigger: 'preview', status: 'done' },
        counts: { read: 3, created: 1, updated: 1, unchanged: 1, linked: 0, failed: 0 },
      });
      expect((await contacts()).map((one) => one.name)).toEqual(['Ana Diaz', 'Ben Diaz']);
      // It waits for a person.
      expect(await scene.read()).toMatchObject({ status: 'connected', nextSyncAt: null });
      await scene.sync();
      expect((await contacts()).map((one) => one.name)).toEqual(['Anita Diaz', 'Ben Diaz', 'Cem Diaz']);
    },
  );

  // What the engine does the same for each: `hubspot-sync.test.ts` plays it with one of them, `npm run faults -- connectors` with all.
  describe.each(isThorough ? [name] : [])('and the engine, with %s', () => {
    test('names a record without a number; its neighbours go on', async () => {
      add({ name: 'Ana Diaz', phone: '+34612345601' });
      add({ name: 'Nobody Diaz' });
      await start();
      expect((await contacts()).map((one) => one.name)).toEqual(['Ana Diaz']);
      expect((await errors()).map(({ error }) => error)).toEqual(['phone_missing']);
    });

    test('stops at revoked credentials with an error that names them, and mends by connecting anew', async () => {
      add({ name: 'Ana Diaz', phone: '+34612345601' });
      await start();
      vendor.faults(scene.sandbox).isRevoked = true;
      expect(await scene.sync()).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
      vendor.faults(scene.sandbox).isRevoked = false;
      await scene.connect();
      expect(await scene.untilStill()).toMatchObject({ status: 'connected', problem: null });
      expect(await contacts()).toHaveLength(1);
    });
  });

  test.each(isThorough || name === 'hubspot' ? [name] : [])(
    'Start for Real and a restore stop a sync of %s that is under way',
    async () => {
      add({ name: 'Ana Diaz', phone: '+34612345601' });
      await scene.connect();
      await scene.untilStill();
      await scene.act('sync');
      const { workspaceId, db } = scene.fixture;
      await disconnectIntegrations(db.systemPool, workspaceId);
      expect(await scene.untilStill()).toMatchObject({ status: 'disconnected' });
      expect(await contacts()).toEqual([]);
      await scene.connect();
      await scene.untilStill();
      await scene.act('sync');
      await holdRestoredIntegrations(db.systemPool);
      expect(await scene.untilStill()).toMatchObject({ status: 'error', problem: 'restored' });
      expect(await contacts()).toEqual([]);
    },
  );
});
