import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRun } from '@app/delivery/start-run';
import { newId } from '@app/database/new-id';
import { purgeKeptContacts } from '../../src/contact-removals/purge-kept-contacts.ts';
import { arriveWith, said } from '../arriving-events.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Contact = {
  id: string;
  name: string;
  phone: string;
  email: string | null;
  tags: string[];
  status: string;
  version: number;
  optedOutAt: string | null;
  lastMessage: string | null;
  customFields: Record<string, unknown>;
};
type Merged = { mergeId: string; contact: Contact };
type Undone = { contact: Contact; restored: number; kept: string[] };

const ANN = '+14155552671';
const BOB = '+14155552672';

let api: ApiFixture;
let admin: ApiCaller;
const secrets = await createTestSecretBox();
let channelId: string;
beforeAll(async () => {
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  channelId = await api.addChannel();
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of [
    'contacts',
    'deleted_contacts',
    'contact_merges',
    'contact_aliases',
    'merged_contacts',
    'activities',
  ])
    await query(`DELETE FROM ${table}`);
  await query('DELETE FROM delivery_runs');
  await query('DELETE FROM erased_people');
});

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

async function add(fields: Partial<Contact> & { name: string; phone: string }): Promise<Contact> {
  const response = await admin.post('/api/contacts', fields);
  expect(response.status).toBe(200);
  return response.json<Contact>();
}

const read = async (id: string) => (await admin.get(`/api/contacts/${id}`)).json<Contact>();
/** Under the id of a merged contact its survivor is found. */
const isGone = async (id: string) => {
  const answer = await admin.get(`/api/contacts/${id}`);
  return answer.status === 404 || (await answer.json<Contact>()).id !== id;
};
const timeline = async (id: string) =>
  (
    await (
      await admin.get(`/api/contacts/${id}/timeline`)
    ).json<{ items: { kind: string; text: string; mergeId: string | null; fact: object | null }[] }>()
  ).items;

function ask(survivor: Contact, others: readonly Contact[], more: object = {}, caller = admin) {
  const contacts = [survivor, ...others].map(({ id, version }) => ({ contactId: id, version }));
  return caller.post('/api/contacts/merges', {
    mergeId: newId(),
    survivorId: survivor.id,
    contacts,
    ...more,
  });
}

async function merge(survivor: Contact, others: readonly Contact[], more: object = {}): Promise<Merged> {
  const response = await ask(survivor, others, more);
  expect(response.status).toBe(200);
  return response.json<Merged>();
}

const askUndo = (mergeId: string, caller = admin) => caller.post(`/api/contacts/merges/${mergeId}/undo`);

async function undo(mergeId: string): Promise<Undone> {
  const response = await askUndo(mergeId);
  expect(response.status).toBe(200);
  return response.json<Undone>();
}

const codeOf = async (answer: { json(): Promise<unknown> }) =>
  ((await answer.json()) as { error: { code: string } }).error.code;

const arrive = (phone: string, body: string): Promise<void> =>
  arriveWith(api, { secrets, channelId })(said({ phone, name: 'Profile' }, body));

async function addRun(
  runNo: number,
  recipients: readonly { contactId: string; phone: string; state?: number }[],
  cursor: number,
): Promise<void> {
  await query('SELECT ensure_delivery_partition($1)', [runNo]);
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, total, cursor, state, frozen_at)
     VALUES ($1, $2, $3, $4, '{}', 'marketing', '{}', $5, $6, 'running', now())`,
    [runNo, api.workspaceId, channelId, newId(), recipients.length, cursor],
  );
  for (const [seq, { contactId, phone, state = 0 }] of recipients.entries())
    await query(
      'INSERT INTO delivery_recipients (run_no, seq, state, workspace_id, contact_id, address) VALUES ($1, $2, $3, $4, $5, $6)',
      [runNo, seq, state, api.workspaceId, contactId, phone],
    );
}

/** By seq: the contact to whom the sender would send, or null where it leaves the recipient out. */
async function recipientsOf(runNo: number): Promise<(string | null)[]> {
  const { rows } = await query(
    `SELECT c.id FROM delivery_recipients r LEFT JOIN contacts c ON c.id = r.contact_id WHERE run_no = $1 ORDER BY seq`,
    [runNo],
  );
  return rows.map(({ id }) => id);
}

describe('merging contacts', () => {
  test('takes the picked values, unites tags, and moves conversation, consent and custom fields', async () => {
    const field = await (
      await admin.post('/api/custom-fields', { label: `Size ${newId()}`, type: 'number' })
    ).json<{ key: string }>();
    const ann = await add({ name: 'Ann', phone: ANN, tags: ['vip'] });
    const bob = await add({
      name: 'Anne',
      phone: BOB,
      email: 'anne@x.io',
      tags: ['VIP', 'new'],
      customFields: { [field.key]: 42 },
    });
    await admin.post(`/api/contacts/${bob.id}/consents`, { kind: 'opt_in', text: 'signed' });
    await arrive(BOB, 'Hello');
    const { contact, mergeId } = await merge(ann, [await read(bob.id)], { picks: { name: bob.id } });
    expect(contact).toMatchObject({
      id: ann.id,
      name: 'Anne',
      phone: ANN,
      email: 'anne@x.io',
      tags: ['vip', 'new'],
      lastMessage: 'Hello',
      version: 2,
      customFields: { [field.key]: 42 },
    });
    expect(await isGone(bob.id)).toBe(true);
    const events = await timeline(ann.id);
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(['added', 'merged', 'message_in', 'opt_in']);
    expect(events.find(({ kind }) => kind === 'merged')).toMatchObject({
      ...{ text: 'Anne', mergeId },
      fact: { type: 'contact.merged', values: { name: 'Anne', names: ['Anne'] } },
    });
    const { rows } = await query(
      `SELECT type, subject_id, "values" FROM activities WHERE fact_type = 'contact.merged'`,
    );
    const values = { name: 'Anne', names: ['Anne'], otherIds: [bob.id] };
    expect(rows).toEqual([{ type: 'update', subject_id: ann.id, values }]);
  });

  test('never widens consent: a block and an opt-out of one hold for all', async () => {
    const ann = await add({ name: 'Ann', phone: ANN });
    const bob = await add({ name: 'Bob', phone: BOB });
    const carl = await add({ name: 'Carl', phone: '+14155552673', status: 'blocked' });
    await admin.post(`/api/contacts/${bob.id}/consents`, {
      kind: 'opt_out',
      text: 'no',
      occurredAt: '2026-03-01T10:00:00Z',
    });
    await admin.post(`/api/contacts/${ann.id}/consents`, {
      kind: 'opt_in',
      text: 'yes',
      occurredAt: '2026-04-01T10:00:00Z',
    });
    const { contact, mergeId } = await merge(await read(ann.id), [await read(bob.id), carl]);
    expect(contact).toMatchObject({ status: 'blocked', optedOutAt: '2026-03-01T10:00:00.000Z' });
    // The opt-out still holds when an older record is added: the newest one is that of the merge.
    const recorded = await admin.post(`/api/contacts/${ann.id}/consents`, {
      kind: 'opt_in',
      text: 'old form',
      occurredAt: '2026-04-02T10:00:00Z',
    });
    expect((await recorded.json<Contact>()).optedOutAt).not.toBeNull();
    await undo(mergeId);
    expect(await read(ann.id)).toMatchObject({ status: 'active', optedOutAt: null });
    expect(await read(bob.id)).toMatchObject({ optedOutAt: '2026-03-01T10:00:00.000Z' });
    expect(await read(carl.id)).toMatchObject({ status: 'blocked' });
  });

  test('the second of two editors is told, whichever of the contacts was changed', async () => {
    const ann = await add({ name: 'Ann', phone: ANN });
    const bob = await add({ name: 'Bob', phone: BOB });
    await admin.patch(`/api/contacts/${bob.id}`, { version: 1, name: 'Bobby' });
    expect(await codeOf(await ask(ann, [bob]))).toBe('contact_changed');
    expect(await read(bob.id)).toMatchObject({ name: 'Bobby' });
    const seen = await read(bob.id);
    const answers = await Promise.all([ask(ann, [seen]), ask(seen, [ann])]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const late = await admin.patch(`/api/contacts/${ann.id}`, { version: 1, name: 'X' });
    expect([404, 409]).toContain(late.status);
  });

  test('a page that still shows a merged contact is answered with the survivor', async () => {
    const ann = await add({ name: 'Ann', phone: '+447700900001' });
    const anna = await add({ name: 'Anna', phone: '+447700900002' });
    await merge(ann, [anna]);
    const paths = [
      `/api/contacts/${anna.id}`,
      `/api/contacts/${anna.id}/timeline`,
      `/api/contacts/${anna.id}/consents`,
    ];
    const answers = await Promise.all(paths.map((path) => admin.get(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(anna.id)).toMatchObject({ id: ann.id });
    expect(await timeline(anna.id)).toEqual(await timeline(ann.id));
    expect((await (await api.asOther()).get(`/api/contacts/${anna.id}`)).status).toBe(404);
  });

  test('the same wish twice merges once', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const mergeId = newId();
    const answers = await Promise.all([ask(ann, [bob], { mergeId }), ask(ann, [bob], { mergeId })]);
    for (const answer of answers) expect(await answer.json()).toMatchObject({ contact: { version: 2 } });
    expect((await query(`SELECT FROM activities WHERE fact_type = 'contact.merged'`)).rowCount).toBe(1);
  });

  test.each([
    ['one contact', 1],
    ['eleven contacts', 11],
  ])('%s are refused', async (_, count) => {
    const contacts = Array.from({ length: count }, () => ({ contactId: newId(), version: 1 }));
    const response = await admin.post('/api/contacts/merges', {
      mergeId: newId(),
      survivorId: contacts[0]!.contactId,
      contacts,
    });
    expect(response.status).toBe(422);
  });

  test('a viewer and another workspace merge and undo nothing', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    expect((await ask(ann, [bob], {}, await api.as('viewer'))).status).toBe(403);
    expect((await ask(ann, [bob], {}, await api.asOther())).status).toBe(404);
    const { mergeId } = await merge(ann, [bob]);
    expect((await askUndo(mergeId, await api.as('viewer'))).status).toBe(403);
    expect((await askUndo(mergeId, await api.asOther())).status).toBe(404);
    expect(await isGone(bob.id)).toBe(true);
  });
});

describe('a number that did not stay', () => {
  test('still finds its contact when it writes, and is taken for others', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    await merge(ann, [bob]);
    await arrive(BOB, 'Me again');
    expect(await read(ann.id)).toMatchObject({ lastMessage: 'Me again' });
    expect(await (await admin.get('/api/contacts/count')).json()).toEqual({ count: 1 });
    const added = await admin.post('/api/contacts', { name: 'New', phone: BOB });
    expect(await added.json()).toMatchObject({
      error: { code: 'contact_phone_taken', details: { values: { contactId: ann.id } } },
    });
    const imported = await admin.request('/api/contacts/imports?duplicates=update', {
      method: 'POST',
      headers: { prefer: 'wait=50' },
      body: `name,phone\nBob,${BOB}\nDora,+14155552674\n`,
    });
    expect(await imported.json()).toMatchObject({ successful: 1, failed: 1 });
    // The survivor itself may take it as its number.
    const changed = await admin.patch(`/api/contacts/${ann.id}`, { version: 2, phone: BOB });
    expect(changed.status).toBe(200);
  });

  test('STOP from it opts the person out', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const { mergeId } = await merge(ann, [bob]);
    await arrive(BOB, 'STOP');
    expect((await read(ann.id)).optedOutAt).not.toBeNull();
    await undo(mergeId);
    expect((await read(ann.id)).optedOutAt).toBeNull();
    expect((await read(bob.id)).optedOutAt).not.toBeNull();
    expect(await read(bob.id)).toMatchObject({ lastMessage: 'STOP' });
  });

  test('goes along when the survivor is merged, too', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const carl = await add({ name: 'Carl', phone: '+14155552673' });
    const first = await merge(ann, [bob]);
    const second = await merge(carl, [first.contact]);
    await arrive(BOB, 'Where am I?');
    expect(await read(carl.id)).toMatchObject({ lastMessage: 'Where am I?' });
    const refused = await askUndo(first.mergeId);
    expect(await refused.json()).toMatchObject({
      error: { code: 'contact_merge_merged_again', details: { values: { name: 'Carl' } } },
    });
    await undo(second.mergeId);
    await arrive(BOB, 'And now?');
    expect(await read(ann.id)).toMatchObject({ lastMessage: 'And now?' });
    await undo(first.mergeId);
    expect(await read(bob.id)).toMatchObject({ phone: BOB, lastMessage: 'And now?' });
  });
});

describe('campaigns', () => {
  test('results follow to the survivor, and return with an undo', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    await addRun(11, [{ contactId: bob.id, phone: BOB, state: 2 }], 1);
    const { mergeId } = await merge(ann, [bob]);
    expect((await timeline(ann.id)).map(({ kind }) => kind)).toContain('campaign');
    expect(await recipientsOf(11)).toEqual([ann.id]);
    await undo(mergeId);
    expect(await recipientsOf(11)).toEqual([bob.id]);
  });

  test('in a running campaign nobody is sent to twice or lost', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const [a, b] = [
      { contactId: ann.id, phone: ANN },
      { contactId: bob.id, phone: BOB },
    ];
    await addRun(12, [b], 0);
    await addRun(13, [b, a], 0);
    await addRun(14, [{ ...b, state: 2 }, a], 1);
    const { mergeId } = await merge(ann, [bob]);
    expect(await recipientsOf(12)).toEqual([ann.id]);
    expect(await recipientsOf(13)).toEqual([ann.id, null]);
    expect(await recipientsOf(14)).toEqual([ann.id, null]);
    await undo(mergeId);
    expect(await recipientsOf(13)).toEqual([bob.id, ann.id]);
    expect(await recipientsOf(14)).toEqual([bob.id, ann.id]);
  });

  test('an audience that names a merged contact means the survivor, also when it leaves it out', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    await merge(ann, [bob]);
    const start = (audience: Parameters<typeof startRun>[1]['audience']) =>
      api.db.inSystem((_, client) =>
        startRun(client, {
          workspaceId: api.workspaceId,
          channelId,
          campaignId: newId(),
          audience,
          category: 'marketing',
          message: { content: { type: 'text', body: 'Hi' }, variables: {}, businessName: '' },
        }),
      );
    expect(await start({ contactIds: [bob.id, ann.id] })).toMatchObject({ outcome: 'started', total: 1 });
    expect(await start({ filter: {}, excludedIds: [bob.id] })).toMatchObject({ outcome: 'nobody' });
    const size = await admin.post('/api/campaigns/audience-size', { audience: { contactIds: [bob.id] } });
    expect(await size.json()).toEqual({ chosen: 1 });
  });
});

describe('undoing a merge', () => {
  test('brings everything back as it was', async () => {
    const ann = await add({ name: 'Ann', phone: ANN, tags: ['a'] });
    const bob = await add({ name: 'Bob', phone: BOB, email: 'bob@x.io', tags: ['b'] });
    await arrive(ANN, 'from Ann');
    await arrive(BOB, 'from Bob');
    await admin.post(`/api/contacts/${bob.id}/consents`, { kind: 'opt_in', text: 'signed' });
    const [before, other] = [await read(ann.id), await read(bob.id)];
    const { mergeId } = await merge(before, [other], { picks: { name: bob.id, phone: bob.id } });
    expect(await read(ann.id)).toMatchObject({ name: 'Bob', phone: BOB, tags: ['a', 'b'] });
    const undone = await undo(mergeId);
    expect(undone).toMatchObject({ restored: 1, kept: [], contact: { id: ann.id } });
    expect(await read(ann.id)).toEqual({
      ...before,
      version: before.version + 2,
      updatedAt: expect.any(String),
    });
    expect(await read(bob.id)).toEqual(other);
    expect((await timeline(bob.id)).map(({ kind }) => kind).toSorted()).toEqual([
      'added',
      'message_in',
      'opt_in',
    ]);
    expect((await timeline(ann.id)).map(({ kind }) => kind).toSorted()).toEqual([
      'added',
      'changed',
      'message_in',
    ]);
    expect(await (await admin.get('/api/contacts/summary')).json()).toMatchObject({ total: 2, tags: 2 });
    // A second press changes nothing.
    expect(await undo(mergeId)).toMatchObject({ restored: 0 });
    expect((await add({ name: 'Eve', phone: '+14155552679' })).phone).toBe('+14155552679');
  });

  test('takes an id of the platform from the survivor that another one of them told since', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const { mergeId } = await merge(ann, [bob]);
    const writes = () =>
      arriveWith(api, { secrets, channelId })(said({ phone: BOB, userId: 'US.bob', name: 'Bob' }, 'Hi'));
    await writes();
    expect(await undo(mergeId)).toMatchObject({ kept: [], contact: { id: ann.id } });
    await writes();
    const { rows } = await query('SELECT id, platform_user_id FROM contacts ORDER BY name');
    expect(rows).toEqual([
      { id: ann.id, platform_user_id: null },
      { id: bob.id, platform_user_id: 'US.bob' },
    ]);
  });

  test('leaves what somebody changed since, and says so; a block since holds for all', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const { mergeId, contact } = await merge(ann, [bob], { picks: { name: bob.id } });
    await admin.patch(`/api/contacts/${ann.id}`, {
      version: contact.version,
      name: 'Annabel',
      status: 'blocked',
    });
    expect(await undo(mergeId)).toMatchObject({
      kept: ['name', 'status'],
      contact: { name: 'Annabel', phone: ANN },
    });
    expect(await read(bob.id)).toMatchObject({ name: 'Bob', status: 'blocked' });
  });

  test('is refused with the reason', async () => {
    const [ann, bob] = [await add({ name: 'Ann', phone: ANN }), await add({ name: 'Bob', phone: BOB })];
    const { mergeId } = await merge(ann, [bob]);
    await query('INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, $3, $4)', [
      ...[newId(), api.workspaceId, 'Zoe', BOB],
    ]);
    expect(await (await askUndo(mergeId)).json()).toMatchObject({
      error: { code: 'contact_merge_number_taken', details: { values: { name: 'Zoe' } } },
    });
    await query(`DELETE FROM contacts WHERE name = 'Zoe'`);
    await admin.delete(`/api/contacts/${ann.id}`);
    expect(await codeOf(await askUndo(mergeId))).toBe('contact_merge_survivor_gone');
    await admin.post(`/api/contacts/${ann.id}/restore`);
    await query(`UPDATE contact_merges SET merged_at = merged_at - interval '31 days'`);
    expect(await codeOf(await askUndo(mergeId))).toBe('contact_merge_too_old');
    await purgeKeptContacts(api.parts);
    expect((await query('SELECT FROM contact_merge_parts')).rowCount).toBe(0);
    expect(await timeline(ann.id)).toMatchObject([
      ...[{ kind: 'changed' }, { kind: 'changed' }, { kind: 'added' }],
      { kind: 'merged', text: 'Bob', mergeId: null },
    ]);
  });

  test('erasing the survivor erases the merged copies and refuses all numbers', async () => {
    const [ann, bob] = [
      await add({ name: 'Ann Quillon', phone: ANN }),
      await add({ name: 'Bob Quillon', phone: BOB }),
    ];
    const { mergeId } = await merge(ann, [bob]);
    expect((await admin.post(`/api/contacts/${ann.id}/erase`)).status).toBe(200);
    for (const table of [
      'contact_merges',
      'contact_merge_parts',
      'contact_aliases',
      'merged_contacts',
      'activities',
      'events',
    ])
      expect([
        table,
        (await query(`SELECT FROM ${table} t WHERE t::text ~ 'Quillon|41555526'`)).rowCount,
      ]).toEqual([table, 0]);
    expect(await codeOf(await askUndo(mergeId))).toBe('contact_merge_not_found');
    for (const phone of [ANN, BOB])
      expect(await codeOf(await admin.post('/api/contacts', { name: 'Back', phone }))).toBe('contact_erased');
  });

  test('erasing one after the undo rewords what the merge told of it', async () => {
    const [ann, bob] = [
      await add({ name: 'Ann Quillon', phone: ANN }),
      await add({ name: 'Bob Tarrow', phone: BOB }),
    ];
    const { mergeId } = await merge(ann, [bob]);
    await undo(mergeId);
    await admin.post(`/api/contacts/${bob.id}/erase`);
    for (const table of ['activities', 'events', 'contact_merges'])
      expect([
        table,
        (await query(`SELECT FROM ${table} t WHERE t::text ~ $1`, [`Tarrow|${bob.id}`])).rowCount,
      ]).toEqual([table, 0]);
  });
});

describe('possible duplicates', () => {
  test('are one number in two spellings and one address, page by page', async () => {
    await add({ name: 'One', phone: ANN, email: 'Ann@X.io' });
    await add({ name: 'Two', phone: BOB, email: 'ann@x.io' });
    await add({ name: 'Three', phone: '+14155552673', email: 'carl@x.io' });
    for (const [name, phone] of [
      ['Brazil nine', '+5511987654321'],
      ['Brazil eight', '+551187654321'],
      ['Mexico', '+525512345678'],
      ['Mexico one', '+5215512345678'],
      ['Argentina nine', '+5491112345678'],
    ])
      await query('INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, $3, $4)', [
        ...[newId(), api.workspaceId, name, phone],
      ]);
    const seen: { kind: string; key: string; contacts: Contact[] }[] = [];
    let cursor: string | null = '';
    do {
      const page: { items: typeof seen; nextCursor: string | null } = await (
        await admin.get(`/api/contacts/duplicates?limit=1&cursor=${cursor}`)
      ).json();
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    expect(
      seen.map(({ kind, key, contacts }) => [kind, key, contacts.map(({ name }) => name).toSorted()]),
    ).toEqual([
      ['phone', '+525512345678', ['Mexico', 'Mexico one']],
      ['phone', '+5511987654321', ['Brazil eight', 'Brazil nine']],
      ['email', 'ann@x.io', ['One', 'Two']],
    ]);
    expect(await (await (await api.asOther()).get('/api/contacts/duplicates')).json()).toMatchObject({
      items: [],
    });
  });
});
