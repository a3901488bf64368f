import { newId } from '@app/database/new-id';
import { part } from '@app/database/testing/thorough';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { purgeKeptContacts } from '../../src/contact-removals/purge-kept-contacts.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, changedIdentity, chose, failed, said } from '../arriving-events.ts';

type Contact = { id: string; version: number; phone: string; optedOutAt: string | null };

const PHONE = '+14155552671';
const OTHER = '+14155552672';
const USER = 'US.13491208655302741918';
const ann = { phone: PHONE };
/** Seconds of a day that is over. */
const at = (second: number) => Date.UTC(2026, 9, 1) + second * 1000;
const HOUR = 3_600_000;

let api: ApiFixture;
let admin: ApiCaller;
const secrets = await createTestSecretBox();
let arrive: (...events: InboundEvent[]) => Promise<void>;
beforeAll(async () => {
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  arrive = arriveWith(api, { secrets, channelId: await api.addChannel() });
});
afterAll(() => api.close());
const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const tables =
  'contacts deleted_contacts contact_merges contact_aliases merged_contacts suppression_list contact_imports';
beforeEach(async () => {
  for (const table of tables.split(' ')) await query(`DELETE FROM ${table}`);
});

async function add(phone = PHONE): Promise<Contact> {
  const response = await admin.post('/api/contacts', { name: 'Ann', phone });
  expect(response.status).toBe(200);
  return response.json<Contact>();
}
async function importOf(
  phone: string,
  query_ = '',
): Promise<{ id: string; optedOut: number; successful: number }> {
  const response = await admin.request(`/api/contacts/imports${query_}`, {
    ...{
      method: 'POST',
      body: `name,phone\nAnn,${phone}\nBea,+14155559000\n`,
      headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
    },
  });
  expect(response.status).toBe(200);
  return response.json();
}
async function ownerOf(phone = PHONE): Promise<Contact> {
  const { rows } = await query('SELECT id FROM contacts WHERE phone = $1', [phone]);
  return (await admin.get(`/api/contacts/${rows[0].id}`)).json<Contact>();
}
const remove = async ({ id }: { id: string }) =>
  expect((await admin.delete(`/api/contacts/${id}`)).status).toBe(200);
const purge = (later = 2 * HOUR) =>
  purgeKeptContacts({ ...api.parts, clock: () => new Date(Date.now() + later) });
const change = async ({ id }: Contact, phone: string) => {
  const { version } = await (await admin.get(`/api/contacts/${id}`)).json<Contact>();
  const answer = await admin.patch(`/api/contacts/${id}`, { version, phone });
  expect(answer.status).toBe(200);
  return answer.json<Contact>();
};
const isHeld = async (phone = PHONE) =>
  (
    await query('SELECT FROM marketing_holds JOIN contacts c ON c.id = contact_id WHERE c.phone = $1', [
      phone,
    ])
  ).rowCount === 1;

/** How a contact goes, or loses its number. */
const goings: Record<string, (contact: Contact) => Promise<unknown>> = {
  'is deleted': remove,
  'is deleted and forgotten': async (contact) => {
    await remove(contact);
    await purge();
  },
  'is deleted with many': async ({ id }) => {
    const choice = { contactIds: [id] };
    const started = await admin.post('/api/contacts/removals', { removalId: newId(), choice });
    expect(started.status).toBe(200);
  },
  'gets another number': (contact) => change(contact, OTHER),
};

/** How somebody with the number becomes a contact again. */
const comings: Record<string, () => Promise<unknown>> = {
  'by the form': () => add(),
  'by an import': () => importOf(PHONE),
  'by an import that updates': () => importOf(PHONE, '?duplicates=update'),
  'by a message': () => arrive(said(ann, 'Hello', { occurredAt: at(50) })),
  'by a setting': () => arrive(chose(ann, 'stop', at(5))),
  'by another contact that gets the number': async () => change(await add('+14155558888'), PHONE),
  'by another contact that moved to the number': async () => {
    await add('+14155558888');
    await arrive(changedIdentity({ phone: '+14155558888' }, { newPhone: PHONE, occurredAt: at(60) }));
  },
};

describe('an opt-out outlives its contact', () => {
  const ways = Object.keys(goings).flatMap((going) =>
    Object.keys(comings).map((coming) => [going, coming] as const),
  );
  // Every way to go, each with another way to come back; `npm run faults -- drawn-cases` plays all of them.
  longTest.each(part(ways, 9))('that %s and comes back %s', async (going, coming) => {
    const contact = await add();
    await arrive(said(ann, 'STOP', { occurredAt: at(10) }));
    await arrive(failed(ann, { kind: 'hold_recipient', hours: 24 }));
    await goings[going]!(contact);
    await comings[coming]!();
    const back = await ownerOf();
    expect(back.optedOutAt).toBe(new Date(at(10)).toISOString());
    expect(await isHeld()).toBe(true);
    // The newest word decides, and only a newer one ends it.
    await arrive(said(ann, 'START', { occurredAt: at(9) }));
    expect((await ownerOf()).optedOutAt).not.toBe(null);
    await arrive(said(ann, 'START', { occurredAt: at(70) }));
    expect((await ownerOf()).optedOutAt).toBe(null);
    // Nor does the older word come back with the next deletion.
    await remove(await ownerOf());
    await purge();
    expect((await add()).optedOutAt).toBe(null);
    await arrive(said(ann, 'STOP', { occurredAt: at(20) }));
    expect((await ownerOf()).optedOutAt).toBe(null);
  });

  test('also by the id of the platform alone, and by a number of a merged contact', async () => {
    await arrive(said({ ...ann, userId: USER }, 'STOP', { occurredAt: at(10) }));
    const [one, other] = [await ownerOf(), await add(OTHER)];
    const merged = await admin.post('/api/contacts/merges', {
      ...{ mergeId: newId(), survivorId: one.id, picks: { phone: one.id } },
      contacts: [one, other].map(({ id, version }) => ({ contactId: id, version })),
    });
    expect(merged.status).toBe(200);
    await remove(one);
    await purge();
    expect((await add(OTHER)).optedOutAt).not.toBe(null);
    await arrive(said({ userId: USER }, 'Hello', { occurredAt: at(50) }));
    const { rows } = await query('SELECT opted_out_at FROM contacts WHERE platform_user_id = $1', [USER]);
    expect(rows).toEqual([{ opted_out_at: expect.any(Date) }]);
  });

  test('what was said in the hour after the deletion, when the contact is forgotten', async () => {
    const { id } = await add();
    await remove({ id });
    await query('SELECT record_consents($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[[api.workspaceId], [id], ['opt_out'], ['person'], [''], [null], [PHONE], [new Date(at(9))]],
    ]);
    await purge();
    expect((await add()).optedOutAt).toBe(new Date(at(9)).toISOString());
  });

  const waysAfterFailure = [remove, goings['is deleted and forgotten']!].flatMap((going) =>
    Object.keys(comings)
      .filter((coming) => coming !== 'by a setting')
      .map((coming) => [coming, going] as const),
  );
  test.each(part(waysAfterFailure, 11))(
    'what a failed delivery says after the contact was deleted, when the person comes back %s',
    async (coming, going) => {
      await going(await add());
      const told = { occurredAt: at(9) };
      await arrive(
        failed(ann, { kind: 'opt_out' }, told),
        failed(ann, { kind: 'hold_recipient', hours: 24 }),
      );
      await comings[coming]!();
      expect((await ownerOf()).optedOutAt).toBe(new Date(at(9)).toISOString());
      expect(await isHeld()).toBe(true);
    },
  );

  test.each([[false], [true]])(
    'in the order of the clock of the platform, which is ahead (forgotten: %s)',
    async (isForgotten) => {
      const contact = await add();
      const now = Date.now();
      await arrive(said(ann, 'STOP', { occurredAt: now + 300_000 }));
      await arrive(said(ann, 'START', { occurredAt: now + 100_000 }));
      expect((await ownerOf()).optedOutAt).not.toBe(null);
      await remove(contact);
      if (isForgotten) {
        await query('DELETE FROM suppression_list');
        await purge();
      }
      expect((await add()).optedOutAt).not.toBe(null);
    },
  );

  test('a contact that comes back has its words once, and one that was added meanwhile gives up none', async () => {
    const first = await add();
    await arrive(said(ann, 'STOP', { occurredAt: at(10) }));
    await remove(first);
    const second = await add();
    await arrive(said(ann, 'START', { occurredAt: at(20) }));
    await remove(second);
    const back = await (await admin.post(`/api/contacts/${first.id}/restore`)).json<Contact>();
    expect(back.optedOutAt).toBe(null);
    const { items } = await (
      await admin.get(`/api/contacts/${first.id}/consents`)
    ).json<{ items: { kind: string }[] }>();
    expect(items.map(({ kind }) => kind)).toEqual(['opt_in', 'opt_out']);
    expect((await query('SELECT FROM suppression_list')).rowCount).toBe(0);
  });

  test('a consent of one contact is none of the next that has its number', async () => {
    const contact = await add();
    await arrive(said(ann, 'START', { occurredAt: at(10) }));
    await change(contact, OTHER);
    const { id } = await add();
    const { items } = await (await admin.get(`/api/contacts/${id}/consents`)).json<{ items: unknown[] }>();
    expect(items).toEqual([]);
  });
});

describe('an import', () => {
  test('says how many of its contacts opted out before, also when it is only tried', async () => {
    const contact = await add();
    await arrive(said(ann, 'STOP', { occurredAt: at(10) }));
    await remove(contact);
    expect(await importOf(PHONE, '?dryRun=1')).toMatchObject({ successful: 2, optedOut: 1 });
    expect(await importOf(PHONE)).toMatchObject({ successful: 2, optedOut: 1 });
  });

  test('is taken back with those who opted out before it, and what was said of them is kept', async () => {
    const contact = await add();
    await arrive(said(ann, 'STOP', { occurredAt: at(10) }));
    await remove(contact);
    const { id } = await importOf(PHONE);
    const undone = await admin.post(`/api/contacts/imports/${id}/undo`);
    expect(await undone.json()).toEqual({ removed: 2, restored: 0, kept: 0 });
    expect((await add()).optedOutAt).toBe(new Date(at(10)).toISOString());
  });

  test("is taken back without the platform's holds being lost", async () => {
    const { id } = await importOf(PHONE);
    await arrive(failed(ann, { kind: 'hold_recipient', hours: 24 }));
    expect((await admin.post(`/api/contacts/imports/${id}/undo`)).status).toBe(200);
    await add();
    expect(await isHeld()).toBe(true);
  });
});

test('what is kept names nobody, stays within its workspace, and goes with who is erased', async () => {
  const contact = await add();
  await arrive(
    said(ann, 'STOP my name is Ann', { occurredAt: at(9) }),
    said(ann, 'STOP', { occurredAt: at(10) }),
  );
  await remove(contact);
  await purge();
  const { rows } = await query('SELECT suppression_list::text AS row FROM suppression_list');
  expect(rows).toHaveLength(1);
  expect(rows[0].row).not.toMatch(/4155552671|Ann/);
  const other = await api.asOther();
  const theirs = await other.post('/api/contacts', { name: 'Ann', phone: PHONE });
  expect((await theirs.json<Contact>()).optedOutAt).toBe(null);
  const again = await add();
  await remove(again);
  const third = await add();
  await change(third, OTHER);
  await change(third, PHONE);
  expect((await admin.post(`/api/contacts/${third.id}/erase`)).status).toBe(200);
  expect(
    (
      await query(`SELECT FROM suppression_list WHERE identifier_hash = $1`, [
        secrets.fingerprint(`${api.workspaceId} ${PHONE}`),
      ])
    ).rowCount,
  ).toBe(0);
});
