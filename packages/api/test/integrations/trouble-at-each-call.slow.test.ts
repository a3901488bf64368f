import { isThorough } from '@app/database/testing/thorough';
import type { CallOutcome, OutgoingCall } from '@app/domain/network/outgoing-calls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSync } from '../../src/integrations/sync/run-sync.ts';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { contractVendors, type ContractVendor } from './contract-vendors.ts';
import { goOn, openVendors } from './open-vendor.ts';

/** No sync asks its service more often: a test of every call ends. */
const MOST_CALLS = 60;
type Person = { id: string; name: string; version: number };

let opened: Awaited<ReturnType<typeof openVendors>>;
beforeAll(async () => {
  opened = await openVendors(contractVendors);
});
afterAll(() => opened.close());

/** Two people who are the same on both sides, and the moves of a round: each sync has something to read and something to send. */
async function openRounds(name: string, vendor: ContractVendor) {
  const scene = opened.sceneOf(name);
  const { fixture, admin, sandbox } = scene;
  for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list'])
    await fixture.db.systemPool.query(`DELETE FROM ${table}`);
  vendor.clear(sandbox);
  const ids = ['Ana 0', 'Ben 0'].map((person, place) =>
    vendor.add(sandbox, { name: person, phone: `+3461234560${place}`, email: `p${place}@mail.example` }),
  ) as [string, string]; // of two
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  const contacts = async () =>
    (await (await admin.get('/api/contacts?limit=10&sort=name')).json<{ items: Person[] }>()).items;
  const rename = async (first: string, to: string) => {
    const { id, version } = (await contacts()).find((one) => one.name.startsWith(first))!; // one of the two
    expect((await admin.patch(`/api/contacts/${id}`, { name: to, version })).status).toBe(200);
  };
  const { rows } = await fixture.db.systemPool.query<{ id: string }>('SELECT id FROM integrations');
  return {
    scene,
    contacts,
    rename,
    there: () => ids.map((id) => vendor.read(sandbox, id).name),
    renameThere: (to: string) => vendor.change(sandbox, ids[0], { name: to }),
    /** The run that is open, with what happens at its calls to the service, from 1 on. Answers with how many there were. */
    async run(atCall: (n: number) => CallOutcome | void | Promise<CallOutcome | void>): Promise<number> {
      let n = 0;
      const calls: typeof fixture.parts.calls = {
        ...fixture.parts.calls,
        async call(request: OutgoingCall) {
          n += 1;
          expect(n).toBeLessThan(MOST_CALLS);
          return (await atCall(n)) ?? fixture.parts.calls.call(request);
        },
      };
      await runSync(
        { ...fixture.parts, calls },
        {
          ...{ workspaceId: fixture.workspaceId, integrationId: rows[0]!.id, wait: goOn }, // it is connected
          signal: new AbortController().signal,
        },
      );
      return n;
    },
    /** Both sides have what was changed on either, and nobody is there twice, lost or without their record. */
    async expectEqual(names: readonly [string, string]): Promise<void> {
      expect(await scene.read()).toMatchObject({
        ...{ status: 'connected', problem: null, errors: 0, recordsLinked: 2 },
      });
      expect((await contacts()).map((one) => one.name)).toEqual(names);
      // Of a service that is only read an edit here stays here.
      expect(this.there()).toEqual(vendor.isReadOnly ? [names[0], 'Ben 0'] : names);
      expect(vendor.list(sandbox)).toHaveLength(2);
    },
  };
}

/** Trouble comes at every third call of a sync, for each service from another one on: `npm run faults -- connectors` plays every call. */
const EVERY = isThorough ? 1 : 3;
const firstCallOf = (name: string) => 1 + (Object.keys(contractVendors).indexOf(name) % EVERY);

const answers = {
  'a page of HTML': '<!doctype html><title>Welcome</title>',
  'nothing at all': '',
  'an object of another form': '{"ok":true}',
  'an empty list': '[]',
};

/** Status 200, as of a proxy or a page of maintenance. */
function answer(text: string): CallOutcome {
  const body = Buffer.from(text);
  const json = () =>
    text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : undefined;
  const response = { status: 200, headers: {}, body, text: () => text, json, isComplete: true };
  return { outcome: 'ok', response, attempts: 1, durationMs: 1 };
}

describe.each(Object.entries(contractVendors))('in a sync with %s', (name, vendor) => {
  let rounds: Awaited<ReturnType<typeof openRounds>>;
  beforeEach(async () => {
    rounds = await openRounds(name, vendor);
  });

  // The answers take turns in the calls: `npm run faults -- connectors` plays each at every call.
  const kinds = Object.entries(answers);
  test.each(isThorough ? kinds.map((_, from) => from) : [0])(
    'any call may be answered with a 200 that is none of the service (from answer %i on): nothing is lost, and nobody is taken for deleted',
    async (from) => {
      for (let place = firstCallOf(name); ; place += EVERY) {
        const [, text] = kinds[(from + place) % kinds.length]!; // one of them
        rounds.renameThere(`Ana ${place}`);
        await rounds.rename('Ben', `Ben ${place}`);
        await rounds.scene.act('sync');
        const n = await rounds.run((at) => (at === place ? answer(text) : undefined));
        await rounds.expectEqual([`Ana ${place}`, `Ben ${place}`]);
        if (n < place) break;
      }
      expect(await rounds.contacts()).toHaveLength(2);
    },
  );

  test.each(vendor.endSessions ? [name] : [])(
    'the token of %s may end before any call: another one is fetched, and nobody notices',
    async () => {
      for (let place = firstCallOf(name); ; place += EVERY) {
        rounds.renameThere(`Ana ${place}`);
        await rounds.rename('Ben', `Ben ${place}`);
        await rounds.scene.act('sync');
        const n = await rounds.run((at) => {
          if (at === place) vendor.endSessions?.(rounds.scene.sandbox);
        });
        await rounds.expectEqual([`Ana ${place}`, `Ben ${place}`]);
        if (n < place) break;
      }
      expect(await rounds.contacts()).toHaveLength(2);
    },
  );

  test('a key may be revoked before any call: the card shows it, and Fix Connection goes on where it was', async () => {
    const { scene } = rounds;
    for (let place = firstCallOf(name); ; place += EVERY) {
      rounds.renameThere(`Ana ${place}`);
      await rounds.rename('Ben', `Ben ${place}`);
      await scene.act('sync');
      const n = await rounds.run((at) => {
        if (at === place) vendor.faults(scene.sandbox).isRevoked = true;
      });
      if (n < place) break;
      expect(await scene.read()).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
      vendor.faults(scene.sandbox).isRevoked = false;
      expect(await scene.connect()).toMatchObject({ status: 'connected', isStarted: true });
      await beginDueRuns(scene.fixture.parts);
      await scene.untilStill();
      await rounds.expectEqual([`Ana ${place}`, `Ben ${place}`]);
    }
  });

  test.each(vendor.isReadOnly ? [] : [name])(
    'in real time: who is edited here at any call of a sync is sent within seconds, by nobody pressing a button',
    async () => {
      const { scene } = rounds;
      const { version, mapping } = await scene.read();
      const settings = { version, mapping, frequency: 'realtime', createsThere: false, createsTag: '' };
      expect((await scene.admin.put(`/api/integrations/${name}`, settings)).status).toBe(200);
      for (let place = firstCallOf(name); ; place += EVERY) {
        rounds.renameThere(`Ana ${place}`);
        await rounds.rename('Ben', `Ben ${place}`);
        await scene.act('sync');
        const n = await rounds.run(async (at) => {
          if (at === place) await rounds.rename('Ben', `Ben ${place} again`);
        });
        if (n < place) break;
        const isDue = async () => {
          const { nextSyncAt } = await scene.read();
          const now = scene.fixture.parts.clock().getTime();
          return nextSyncAt !== null && Date.parse(nextSyncAt) <= now + 6_000;
        };
        if (rounds.there()[1] !== `Ben ${place} again`) await expect.poll(isDue).toBe(true);
        scene.fixture.advance(6_000);
        await beginDueRuns(scene.fixture.parts);
        await scene.untilStill();
        await rounds.expectEqual([`Ana ${place}`, `Ben ${place} again`]);
      }
    },
  );
});
