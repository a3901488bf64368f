import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteOldFiles } from '../../src/platform/operations/delete-files.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Operation = {
  id: string;
  state: string;
  done: number;
  file: { name: string } | null;
  fileGone: string | null;
};

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

const add = async (name: string, phone: string) =>
  (await admin.post('/api/contacts', { name, phone })).json<{ id: string }>();
const begin = async (wish: object = { format: 'csv' }, caller = admin) => {
  const answer = await caller.post('/api/contacts/exports', wish);
  expect(answer.status).toBe(200);
  return answer.json<Operation>();
};
const readOperation = async (id: string, caller = admin) =>
  (await caller.get(`/api/operations/${id}`)).json<Operation>();
const download = (id: string, caller = admin) => caller.get(`/api/operations/${id}/file`);
const list = async () => (await (await admin.get('/api/operations')).json<{ items: Operation[] }>()).items;

describe('an export of contacts', () => {
  test('that is small is ready with the answer, and is the file that the import reads', async () => {
    await add('Ann', '+447700900001');
    const operation = await begin();
    expect(operation).toMatchObject({ state: 'done', done: 1, total: 1 });
    expect(operation.file?.name).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
    const file = await download(operation.id);
    expect(file.headers.get('content-disposition')).toContain(operation.file?.name);
    expect(await file.text()).toBe(
      'name,phone,email,tags,status,language\r\nAnn,+447700900001,,,active,\r\n',
    );
    const json = await begin({ format: 'json', choice: { filter: { search: 'nobody' } } });
    expect(JSON.parse(await (await download(json.id)).text())).toMatchObject({
      version: '1.0',
      contacts: [],
    });
  });

  test('that is large is written in the background, page after page', async () => {
    await api.db.systemPool.query(
      `INSERT INTO contacts (id, workspace_id, name, phone)
       SELECT gen_random_uuid(), $1, 'Contact ' || n, '+1415' || (2000000 + n) FROM generate_series(1, 12000) n`,
      [api.workspaceId],
    );
    const operation = await begin({ format: 'json', choice: { filter: {} } });
    expect(operation).toMatchObject({ state: 'running', done: 5_000, total: 12_000, file: null });
    expect((await download(operation.id)).status).toBe(404);
    await expect.poll(() => readOperation(operation.id)).toMatchObject({ state: 'done', done: 12_000 });
    const { contacts } = await (await download(operation.id)).json<{ contacts: { phone: string }[] }>();
    expect(new Set(contacts.map(({ phone }) => phone)).size).toBe(12_000);
  });

  test('is done once under its key', async () => {
    const wish = { format: 'csv' };
    const [first, second] = await Promise.all([
      admin.post('/api/contacts/exports', wish, 'one-export-key'),
      admin.post('/api/contacts/exports', wish, 'one-export-key'),
    ]);
    expect((await first.json<Operation>()).id).toBe((await second.json<Operation>()).id);
  });

  test('is read by whoever may export, and by nobody of another workspace', async () => {
    const { id } = await begin();
    expect((await download(id, await api.as('agent'))).status).toBe(200);
    for (const caller of [await api.asOther()]) {
      expect((await download(id, caller)).status).toBe(404);
      expect((await caller.get(`/api/operations/${id}`)).status).toBe(404);
      expect((await caller.post(`/api/operations/${id}/cancel`)).status).toBe(404);
    }
    expect((await download(id, api.stranger)).status).toBe(401);
  });

  test('goes when somebody is erased who might be in it, and says why', async () => {
    const { id: contactId } = await add('Zoe', '+447700900002');
    const { id } = await begin();
    expect((await admin.post(`/api/contacts/${contactId}/erase`)).status).toBe(200);
    expect(await readOperation(id)).toMatchObject({ state: 'done', file: null, fileGone: 'erased' });
    const gone = await download(id);
    expect(gone.status).toBe(410);
    expect(await gone.json()).toMatchObject({ error: { code: 'operation_file_gone' } });
    const { rowCount } = await api.db.systemPool.query(
      'SELECT FROM operation_parts WHERE operation_id = $1',
      [id],
    );
    expect(rowCount).toBe(0);
  });

  test('is kept for a day, and no longer', async () => {
    const { id } = await begin();
    const after = (hours: number) =>
      deleteOldFiles({ ...api.parts, clock: () => new Date(Date.now() + hours * 3_600_000) });
    await after(23);
    expect((await download(id)).status).toBe(200);
    await after(25);
    expect(await readOperation(id)).toMatchObject({ file: null, fileGone: 'expired' });
    expect((await download(id)).status).toBe(410);
  });

  test('stands in the list of whoever began it until it is put away', async () => {
    const { id } = await begin();
    expect((await list()).map((operation) => operation.id)).toContain(id);
    expect((await admin.post(`/api/operations/${id}/dismiss`)).status).toBe(200);
    expect((await list()).map((operation) => operation.id)).not.toContain(id);
    expect((await download(id)).status).toBe(200);
  });
});
