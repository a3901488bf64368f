import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Result = {
  id: string;
  total: number;
  successful: number;
  updated: number;
  failed: number;
  optIns: number;
};
type Contact = { id: string; name: string; tags: string[]; version: number };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.db.systemPool.query('DELETE FROM contacts; DELETE FROM suppression_list');
  await admin.post('/api/contacts', { name: 'Robert', phone: '+447700900002' });
});

const file = 'name,phone\nAnn,+447700900001\nBob,+447700900002\nAnn,+447700900001\n';

const send = (query: string) =>
  admin.request(
    `/api/contacts/imports?fileName=shop.csv&tags=fair&agreedWhere=stall&agreedOn=2026-01-05${query}`,
    { method: 'POST', body: file, headers: { prefer: 'wait=50', 'content-type': 'text/csv' } },
  );
async function importFile(query = ''): Promise<Result> {
  const response = await send(query);
  expect(response.status).toBe(200);
  return response.json<Result>();
}
const again = ({ id }: Result) => importFile(`&duplicates=update&insteadOf=${id}`);
const all = async () =>
  (await (await admin.get('/api/contacts?limit=200')).json<{ items: Contact[] }>()).items;
const names = async () => (await all()).map(({ name }) => name).toSorted();
const undo = async ({ id }: Result) =>
  (await admin.post(`/api/contacts/imports/${id}/undo`)).json<Record<string, number>>();

test('who was here already is updated, and whom the first import added stays as somebody left them', async () => {
  const first = await importFile();
  const ann = (await all()).find(({ name }) => name === 'Ann');
  await admin.request(`/api/contacts/${ann?.id}`, {
    ...{ method: 'PATCH', body: JSON.stringify({ version: ann?.version, name: 'Anna' }) },
    headers: { 'content-type': 'application/json' },
  });
  expect(await again(first)).toMatchObject({ total: 1, successful: 1, updated: 1, failed: 0, optIns: 1 });
  expect(await names()).toEqual(['Anna', 'Bob']);
  const { items } = await (await admin.get(`/api/contacts/${ann?.id}/consents`)).json<{ items: object[] }>();
  expect(items).toHaveLength(1);
});

test.each(['the update', 'the first'])('both are taken back, %s first', async (which) => {
  const first = await importFile();
  const second = await again(first);
  const undone = which === 'the first' ? [first, second] : [second, first];
  for (const one of undone)
    expect(await undo(one)).toEqual({
      removed: one === first ? 1 : 0,
      restored: one === second ? 1 : 0,
      kept: 0,
    });
  expect(await names()).toEqual(['Robert']);
});

test('an import that is none, or of another workspace, leaves nobody out', async () => {
  const first = await importFile();
  expect((await send('&duplicates=update&insteadOf=1')).status).toBe(422);
  expect(await importFile(`&duplicates=update&insteadOf=${newId()}`)).toMatchObject({ updated: 2 });
  expect(first.successful).toBe(1);
});
