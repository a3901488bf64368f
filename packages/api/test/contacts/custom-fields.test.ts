import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeOutRemovedValues } from '../../src/custom-fields/take-out-values.ts';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type Field = {
  id: string;
  key: string;
  label: string;
  type: string;
  description: string;
  options: string[];
  version: number;
};
type Contact = { id: string; version: number; customFields: Record<string, unknown> };
type Refusal = { error: { code: string; details?: { field?: string; values?: Record<string, unknown> } } };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of ['contacts', 'segments', 'campaigns', 'custom_fields', 'removed_custom_fields'])
    await api.db.systemPool.query(`DELETE FROM ${table}`);
});

async function addField(field: Partial<Field>): Promise<Field> {
  const response = await admin.post('/api/custom-fields', { label: 'Tier', type: 'text', ...field });
  expect(response.status).toBe(200);
  return response.json<Field>();
}

const addTier = () => addField({ label: 'Tier', type: 'choice', options: ['Silver', 'Gold'] });

let number = 0;
async function addContact(customFields: Record<string, unknown>, caller = admin): Promise<Contact> {
  number += 1;
  const response = await caller.post('/api/contacts', {
    name: 'Ann',
    phone: `+44791100${String(number).padStart(4, '0')}`,
    customFields,
  });
  expect(response.status).toBe(200);
  return response.json<Contact>();
}

const fields = async () => (await (await admin.get('/api/custom-fields')).json<{ items: Field[] }>()).items;
const readContact = async ({ id }: Contact) =>
  (await (await admin.get(`/api/contacts/${id}`)).json<Contact>()).customFields;
const usageOf = async ({ id }: Field) => (await admin.get(`/api/custom-fields/${id}/usage`)).json();

/** Status, code and where it belongs. */
async function refusalOf(answer: Promise<ApiResponse>) {
  const response = await answer;
  const { code, details } = (await response.json<Refusal>()).error;
  return { refusal: `${response.status} ${code}`, ...details };
}

describe('the fields of a workspace', () => {
  test('get a key from their label, keep it when the label changes, and stay in their order', async () => {
    const tier = await addTier();
    const size = await addField({ label: 'Shoe size', type: 'number', description: ' EU ' });
    const again = await addField({ label: 'Shoe-Size!', type: 'text' });
    expect([tier.key, size.key, again.key]).toEqual(['tier', 'shoe_size', 'shoe_size_2']);
    expect(size).toMatchObject({ type: 'number', description: 'EU', options: [] });
    const renamed = await admin.patch(`/api/custom-fields/${tier.id}`, { version: 1, label: 'Level' });
    expect(await renamed.json()).toMatchObject({ key: 'tier', label: 'Level', version: 2 });
    const order = [again.id, tier.id, size.id];
    expect((await admin.post('/api/custom-fields/order', { fieldIds: order })).status).toBe(200);
    expect((await fields()).map(({ id }) => id)).toEqual(order);
  });

  test('are refused with the reason', async () => {
    const tier = await addTier();
    const size = await addField({ label: 'Size' });
    const create = (field: object) => admin.post('/api/custom-fields', field);
    const change = (field: object) => admin.patch(`/api/custom-fields/${tier.id}`, field);
    expect(await refusalOf(create({ label: 'TIER', type: 'text' }))).toMatchObject({
      refusal: '409 custom_field_label_taken',
    });
    expect(await refusalOf(create({ label: 'A', type: 'choice' }))).toMatchObject({
      refusal: '422 custom_field_options_missing',
    });
    expect(await refusalOf(create({ label: 'A', type: 'text', options: ['x'] }))).toMatchObject({
      refusal: '422 custom_field_options_missing',
    });
    expect(await refusalOf(create({ label: ' ', type: 'text' }))).toMatchObject({
      refusal: '422 invalid_input',
    });
    expect(await refusalOf(change({ version: 2, label: 'B' }))).toMatchObject({
      refusal: '409 custom_field_changed',
    });
    expect(await refusalOf(change({ version: 1, label: 'size' }))).toMatchObject({
      refusal: '409 custom_field_label_taken',
    });
    expect(await refusalOf(change({ version: 1, options: [' '] }))).toMatchObject({
      refusal: '422 custom_field_options_missing',
    });
    for (const fieldIds of [[tier.id], [tier.id, tier.id], [tier.id, size.id, crypto.randomUUID()]])
      expect(await refusalOf(admin.post('/api/custom-fields/order', { fieldIds }))).toMatchObject({
        refusal: '409 custom_fields_changed',
      });
  });

  test('are at most fifty, however many are added at once', async () => {
    const labels = Array.from({ length: 55 }, (_, index) => `Field ${index}`);
    const answers = await Promise.all(
      labels.map((label) => admin.post('/api/custom-fields', { label, type: 'text' })),
    );
    expect(answers.filter(({ ok }) => ok).length).toBe(50);
    expect(await fields()).toHaveLength(50);
  });

  test.each([
    ['manager', 200],
    ['agent', 403],
    ['viewer', 403],
  ] as const)('a %s who adds one is answered %i, and may see them', async (role, status) => {
    const caller = await api.as(role);
    expect((await caller.post('/api/custom-fields', { label: 'Tier', type: 'text' })).status).toBe(status);
    expect((await caller.get('/api/custom-fields')).status).toBe(200);
  });

  test('leave no trace of their values when they are deleted', async () => {
    const tier = await addTier();
    const size = await addField({ label: 'Size', type: 'number' });
    const ann = await addContact({ tier: 'Gold', size: 40 });
    expect(await usageOf(tier)).toEqual({ contacts: 1, segments: [], campaigns: [] });
    expect((await admin.delete(`/api/custom-fields/${tier.id}`)).status).toBe(200);
    expect(await readContact(ann)).toEqual({ size: 40 });
    // A new field of the same name begins empty, also before the old values are taken out.
    const next = await addField({ label: 'Tier', type: 'number' });
    expect(next.key).toBe('tier');
    expect(await readContact(ann)).toEqual({ size: 40 });
    await takeOutRemovedValues(api.parts);
    const { rows } = await api.db.systemPool.query('SELECT custom_values, version FROM contacts');
    expect(rows).toEqual([{ custom_values: { [size.id]: 40 }, version: 1 }]);
  });

  test('keep an option that contacts have', async () => {
    const tier = await addTier();
    await addContact({ tier: 'Gold' });
    const leaveOut = (options: string[]) =>
      admin.patch(`/api/custom-fields/${tier.id}`, { version: 1, options });
    expect(await refusalOf(leaveOut(['Silver']))).toEqual({
      refusal: '409 custom_field_option_used',
      field: 'options',
      values: { option: 'Gold', contacts: 1 },
    });
    expect(await (await leaveOut(['Platinum', 'Gold'])).json()).toMatchObject({
      options: ['Platinum', 'Gold'],
    });
  });
});

describe('the values of a contact', () => {
  test('are stored as their type, changed one by one, and taken away', async () => {
    await addTier();
    for (const [label, type] of [
      ['City', 'text'],
      ['Size', 'number'],
      ['Born', 'date'],
      ['Member', 'yes_no'],
    ])
      await addField({ label: label!, type: type! });
    const all = { tier: 'gold', city: ' New  York ', size: '40.5', born: '1.2.1990', member: 'no' };
    const ann = await addContact(all);
    const stored = { tier: 'Gold', city: 'New York', size: 40.5, born: '1990-02-01', member: false };
    expect(ann.customFields).toEqual(stored);
    const changed = await admin.patch(`/api/contacts/${ann.id}`, {
      version: ann.version,
      customFields: { size: 41, member: '', born: null },
    });
    expect(await changed.json()).toMatchObject({
      version: 2,
      customFields: { tier: 'Gold', city: 'New York', size: 41 },
    });
    const renamed = await admin.patch(`/api/contacts/${ann.id}`, { version: 2, name: 'Ann Lee' });
    expect((await renamed.json<Contact>()).customFields).toEqual({
      tier: 'Gold',
      city: 'New York',
      size: 41,
    });
    const again = { version: 2, customFields: { size: 1 } };
    expect(await refusalOf(admin.patch(`/api/contacts/${ann.id}`, again))).toMatchObject({
      refusal: '409 contact_changed',
    });
  });

  test('are refused at their field, and nothing else is written', async () => {
    await addTier();
    await addField({ label: 'Size', type: 'number' });
    const ann = await addContact({ tier: 'Gold', size: 40 });
    const change = (customFields: object) =>
      admin.patch(`/api/contacts/${ann.id}`, { version: 1, name: 'Bob', customFields });
    expect(await refusalOf(change({ size: 41, tier: 'Tin' }))).toEqual({
      refusal: '422 custom_field_invalid',
      field: 'customFields.tier',
      values: { problem: 'not_option' },
    });
    expect(await refusalOf(change({ hat: 'x' }))).toMatchObject({
      refusal: '422 custom_field_unknown',
      field: 'customFields.hat',
    });
    expect(await refusalOf(change({ tier: ['Gold'] }))).toMatchObject({ refusal: '422 invalid_input' });
    expect(await readContact(ann)).toEqual({ tier: 'Gold', size: 40 });
    const { rows } = await api.db.systemPool.query('SELECT name FROM contacts');
    expect(rows).toEqual([{ name: 'Ann' }]);
  });

  test('come back with a deleted contact, without fields that are gone', async () => {
    const tier = await addTier();
    await addField({ label: 'Size', type: 'number' });
    const ann = await addContact({ tier: 'Gold', size: 40 });
    await admin.delete(`/api/contacts/${ann.id}`);
    await admin.delete(`/api/custom-fields/${tier.id}`);
    await takeOutRemovedValues(api.parts);
    expect((await admin.post(`/api/contacts/${ann.id}/restore`)).status).toBe(200);
    expect(await readContact(ann)).toEqual({ size: 40 });
  });

  test('are of their own workspace', async () => {
    await addTier();
    const other = await api.asOther();
    const body = { name: 'Ann', phone: '+447911009999', customFields: { tier: 'Gold' } };
    expect(await refusalOf(other.post('/api/contacts', body))).toMatchObject({
      refusal: '422 custom_field_unknown',
    });
  });
});
