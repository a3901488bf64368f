import { isThorough } from '@app/database/testing/thorough';
import { seededRandom } from '@app/sandbox/core/seeded-random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSync } from '../../src/integrations/sync/run-sync.ts';
import { contractVendors } from './contract-vendors.ts';
import { goOn, openVendor, type VendorScene } from './open-vendor.ts';

/** The process dies at this moment: what it had asked for may have happened. */
class Killed extends Error {}

type Person = { name: string; email: string; isOptedOut: boolean };
type Here = {
  id: string;
  name: string;
  email: string | null;
  phone: string;
  optedOutAt: string | null;
  version: number;
};
const ROUNDS = isThorough ? 8 : 3;
const PEOPLE = 8;

const listHere = async (scene: VendorScene) =>
  (await (await scene.admin.get('/api/contacts?limit=200')).json<{ items: Here[] }>()).items;

/** Goes on after every death, as another process would. */
async function syncThroughKills(
  scene: VendorScene,
  random: () => number,
  endSessions: () => void,
): Promise<void> {
  const { fixture } = scene;
  const { rows } = await fixture.db.systemPool.query<{ id: string }>('SELECT id FROM integrations');
  // Once at most: nobody's session ends twice in a second.
  let hasEnded = false;
  const calls: typeof fixture.parts.calls = {
    ...fixture.parts.calls,
    async call(request) {
      if (!hasEnded && random() < 0.05) {
        hasEnded = true;
        endSessions();
      }
      const dies = random() < 0.15;
      if (dies && random() < 0.5) throw new Killed();
      const outcome = await fixture.parts.calls.call(request);
      if (dies) throw new Killed();
      return outcome;
    },
  };
  // Asked for in the middle of a transaction, which is then never committed.
  const clock = () => {
    if (random() < 0.01) throw new Killed();
    return fixture.parts.clock();
  };
  await scene.act('sync');
  const wanted = { workspaceId: fixture.workspaceId, integrationId: rows[0]!.id }; // it is connected
  for (;;)
    try {
      await runSync(
        { ...fixture.parts, calls, clock },
        { ...wanted, signal: new AbortController().signal, wait: goOn },
      );
      return;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
}

const { hubspot, salesforce, mailchimp } = contractVendors;
describe.each(Object.entries({ hubspot, salesforce, mailchimp }))('two ways with %s', (name, vendor) => {
  let scene: VendorScene;
  beforeAll(async () => {
    scene = await openVendor(name, vendor);
  });
  afterAll(() => scene.close());

  test.each(isThorough ? Array.from({ length: 500 }, (_, place) => place + 1) : [2])(
    'edits on both sides, deaths at any call and in any transaction, bursts of 429, ended sessions and another clock end with both sides equal, nobody twice and no edit lost (seed %i)',
    async (seed) => {
      const random = seededRandom(seed, 1, 1);
      const endSessions = () => vendor.endSessions?.(sandbox);
      const { fixture, sandbox, admin } = scene;
      const thereOf = (phone: string) =>
        vendor.list(sandbox).find((id) => vendor.read(sandbox, id).phone === phone)!; // the test looks
      for (const table of ['integrations', 'contacts'])
        await fixture.db.systemPool.query(`DELETE FROM ${table}`);
      vendor.clear(sandbox);
      // The clock of the service is right, ten minutes ahead, or ten minutes behind ours.
      vendor.faults(sandbox).clockAheadMs = 600_000 * (Math.floor(random() * 3) - 1);
      const phones = Array.from({ length: PEOPLE }, (_, place) => `+3461234${5000 + place}`);
      const model = new Map<string, Person>();
      for (const [place, phone] of phones.entries()) {
        const person = { name: `Person N${place}`, email: `p${place}@shop.example`, isOptedOut: false };
        model.set(phone, person);
        if (place % 3 !== 0) vendor.add(sandbox, { name: person.name, email: person.email, phone });
        if (place % 3 !== 1)
          await admin.post('/api/contacts', { name: person.name, email: person.email, phone, tags: [] });
      }
      await scene.connect();
      const { version, mapping } = await scene.untilStill();
      const put = await admin.put(`/api/integrations/${name}`, {
        ...{ version, mapping, frequency: 'hourly', createsThere: true, createsTag: null },
      });
      expect(put.status).toBe(200);
      await syncThroughKills(scene, random, endSessions);

      for (let round = 0; round < ROUNDS; round += 1) {
        const here = new Map((await listHere(scene)).map((one) => [one.phone, one]));
        for (const phone of phones) {
          const person = model.get(phone)!; // one of them
          const contact = here.get(phone)!;
          const record = thereOf(phone);
          expect([phone, contact !== undefined, record !== undefined]).toEqual([phone, true, true]);
          const field = random() < 0.5 ? 'name' : 'email';
          const write = (side: string) =>
            field === 'name' ? `Edit${side} R${round}` : `${side}${round}${phone.slice(1)}@shop.example`;
          const editHere = async () => {
            const changes = { [field]: write('a'), version: contact.version };
            expect((await admin.patch(`/api/contacts/${contact.id}`, changes)).status).toBe(200);
            person[field] = write('a');
          };
          const editThere = async () => {
            vendor.change(sandbox, record, { [field]: write('b') });
            person[field] = write('b');
          };
          const dice = random();
          if (dice < 0.25) await editHere();
          else if (dice < 0.5) await editThere();
          else if (dice < 0.8) {
            // Both edit the same field: the later one holds. The first one was a while ago, because the clock of a service is known to a second or two.
            if (random() < 0.5) {
              await editHere();
              await fixture.db.systemPool.query(
                `UPDATE contacts SET updated_at = updated_at - interval '10 seconds' WHERE id = $1`,
                [contact.id],
              );
              await editThere();
            } else {
              await editThere();
              vendor.age(sandbox, record, 10_000);
              await editHere();
            }
          } else if (dice < 0.85 && round > 0) {
            if (random() < 0.5) vendor.optOut!(sandbox, record); // they have one
            else {
              const said = { kind: 'opt_out', text: 'by phone' };
              expect((await admin.post(`/api/contacts/${contact.id}/consents`, said)).status).toBe(200);
            }
            person.isOptedOut = true;
          }
        }
        if (random() < 0.5) Object.assign(vendor.faults(sandbox), { rejectNext: 3, retryAfterSeconds: 0 });
        await syncThroughKills(scene, random, endSessions);
      }
      // One more, with nobody dying: nothing is left to be done.
      await syncThroughKills(scene, () => 1, endSessions);
      await syncThroughKills(scene, () => 1, endSessions);
      const expected = [...model].map(([phone, { name, email, isOptedOut }]) => [
        phone,
        name,
        email,
        isOptedOut,
      ]);
      const here = (await listHere(scene)).map(({ phone, name, email, optedOutAt }) => [
        phone,
        name,
        email,
        optedOutAt !== null,
      ]);
      const there = vendor.list(sandbox).map((id) => {
        const { phone, name, email, isOptedOut } = vendor.read(sandbox, id);
        return [phone, name, email, isOptedOut];
      });
      const byPhone = (rows: unknown[][]) => rows.toSorted(([a], [b]) => String(a).localeCompare(String(b)));
      expect(byPhone(here)).toEqual(byPhone(expected));
      expect(byPhone(there)).toEqual(byPhone(expected));
    },
  );
});
