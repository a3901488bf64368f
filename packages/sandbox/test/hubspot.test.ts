import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.hubspot.reset());

const CONTACTS = '/crm/objects/2026-09/contacts';
type Answer = {
  status: number;
  body: Record<string, never> & { results: { id: string; properties: object }[] };
};
async function ask(
  method: string,
  path: string,
  body?: object,
  token = 'sandbox-hubspot-token',
): Promise<Answer> {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1/hubspot${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}
async function control(method: string, path: string, body?: object) {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1/_sandbox/hubspot/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  );
  return { status: response.status, body: await response.json() };
}

describe('the API of the CRM', () => {
  test('knows its token, its account and its properties', async () => {
    expect((await ask('GET', CONTACTS, undefined, 'another')).status).toBe(401);
    expect((await ask('GET', '/account-info/2026-09/details')).body).toMatchObject({ portalId: 4242 });
    const property = { name: 'shoe_size', label: 'Shoe size', type: 'string', fieldType: 'text' };
    expect((await ask('POST', '/crm/properties/2026-09/contacts', property)).status).toBe(201);
    expect((await ask('POST', '/crm/properties/2026-09/contacts', property)).status).toBe(409);
    const { body } = await ask('GET', '/crm/properties/2026-09/contacts');
    expect(body.results).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'shoe_size' })]));
  });

  test('creates, reads, changes and archives a contact; an address is of one contact alone', async () => {
    const made = await ask('POST', CONTACTS, { properties: { email: 'eve@shop.example', firstname: 'Eve' } });
    const id = String((made.body as unknown as { id: string }).id);
    expect(made.status).toBe(201);
    expect((await ask('POST', CONTACTS, { properties: { email: 'EVE@shop.example' } })).status).toBe(409);
    expect((await ask('PATCH', `${CONTACTS}/${id}`, { properties: { city: 'Porto' } })).status).toBe(200);
    const read = await ask('GET', `${CONTACTS}/${id}?properties=city,firstname`);
    expect(read.body).toMatchObject({ properties: { city: 'Porto', firstname: 'Eve' } });
    expect((await ask('PATCH', `${CONTACTS}/${id}`, { properties: { nothing: 'x' } })).status).toBe(400);
    expect((await ask('DELETE', `${CONTACTS}/${id}`)).status).toBe(204);
    expect((await ask('GET', `${CONTACTS}/${id}`)).status).toBe(404);
    const archived = await ask('GET', `${CONTACTS}?archived=true&limit=100`);
    expect(archived.body.results.map((one) => one.id)).toEqual([id]);
  });

  test('pages through lists and searches, and ends a search at ten thousand', async () => {
    const first = await ask('GET', `${CONTACTS}?limit=10&properties=email`);
    expect(first.body.results).toHaveLength(10);
    expect(first.body).toMatchObject({ paging: { next: { after: '510' } } });
    const rest = await ask('GET', `${CONTACTS}?limit=10&after=510`);
    expect(rest.body.results).toHaveLength(3);
    expect(rest.body).not.toHaveProperty('paging');
    const search = (changes: object) =>
      ask('POST', `${CONTACTS}/search`, {
        filterGroups: [{ filters: [{ propertyName: 'city', operator: 'EQ', value: 'York' }] }],
        ...{ sorts: ['lastmodifieddate'], properties: ['firstname'], limit: 1, after: '0', ...changes },
      });
    expect((await search({})).body).toMatchObject({ total: 2, paging: { next: { after: '1' } } });
    expect((await search({ after: '9999', limit: 2 })).status).toBe(400);
  });

  test('answers a batch with what was done beside what was not', async () => {
    await ask('POST', '/crm/properties/2026-09/contacts', {
      ...{ name: 'messaging_phone_e164', label: 'x', type: 'string', hasUniqueValue: true },
    });
    const upsert = (email: string) => ({
      ...{ idProperty: 'messaging_phone_e164', id: '+34600000001', objectWriteTraceId: email },
      properties: { email },
    });
    const made = await ask('POST', `${CONTACTS}/batch/upsert`, {
      inputs: [upsert('a@b.example'), upsert('no')],
    });
    expect(made.status).toBe(207);
    expect(made.body).toMatchObject({ results: [{ new: true }], numErrors: 1 });
    const id = made.body.results[0]!.id;
    const update = await ask('POST', `${CONTACTS}/batch/update`, {
      inputs: [{ id, properties: { city: 'Lyon' } }],
    });
    expect(update.status).toBe(200);
    expect((await ask('POST', `${CONTACTS}/batch/archive`, { inputs: [{ id }] })).status).toBe(204);
    const read = await ask('POST', `${CONTACTS}/batch/read`, {
      properties: [],
      inputs: [{ id }, { id: '501' }],
    });
    expect(read.body.results.map((one) => one.id)).toEqual(['501']);
  });
});

describe('its switches', () => {
  test('change records by hand, and set faults', async () => {
    const added = await control('PUT', 'records', { records: [{ properties: { firstname: 'By hand' } }] });
    const id = (added.body as { records: { id: string }[] }).records[0]!.id;
    await control('PUT', 'records', { records: [{ id, properties: { firstname: 'Changed' } }] });
    const { body } = await control('GET', 'records');
    expect((body as { records: object[] }).records.at(-1)).toMatchObject({
      properties: { firstname: 'Changed' },
    });
    expect((await control('POST', 'behaviour', { nothing: 1 })).status).toBe(400);
    expect((await control('POST', 'behaviour', { rejectNext: 1 })).status).toBe(200);
    expect((await ask('GET', CONTACTS)).body).toMatchObject({ policyName: 'TEN_SECONDLY_ROLLING' });
    expect((await control('GET', 'behaviour')).body).toMatchObject({ rejectNext: 0 });
    expect((await control('GET', 'calls')).body).toMatchObject({ calls: [{ status: 429 }] });
    await control('DELETE', 'records');
    expect((await control('GET', 'records')).body).toEqual({ records: [] });
  });
});
