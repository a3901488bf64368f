import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { openNotebook } from './notebook-service.ts';

let notebook: Awaited<ReturnType<typeof openNotebook>>;
let fixture: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  notebook = await openNotebook();
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([notebook.kind]) });
  admin = await fixture.as('admin');
});
afterAll(async () => {
  await fixture.close();
  await notebook.close();
});

type Contact = { id: string; name: string; phone: string; optedOutAt: string | null; version: number };
const contacts = async () =>
  (await (await admin.get('/api/contacts?sort=name')).json<{ items: Contact[] }>()).items;
const read = async () => (await admin.get('/api/integrations/notebook')).json<Integration>();
const act = async (path: string, body: object = {}) => {
  const answer = await admin.post(`/api/integrations/notebook/${path}`, body, crypto.randomUUID());
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
};

test('a connector that is in no list but that of the kinds is shown, synced both ways, called back, and told of events', async () => {
  const { items } = await (await admin.get('/api/integrations')).json<{ items: Integration[] }>();
  expect(items).toMatchObject([
    { kind: 'notebook', title: 'Notebook', status: 'disconnected', syncsContacts: true, hearsEvents: true },
  ]);
  const wrong = await admin.post(
    '/api/integrations/notebook/connect',
    { values: { notebookKey: 'wrong' } },
    crypto.randomUUID(),
  );
  expect(wrong.status).toBe(422);

  const ana = notebook.write('n1', { name: 'Ana Diaz', phone: '+34612345601' });
  await act('connect', { values: { ...notebook.kind.sandbox } });
  await expect
    .poll(read)
    .toMatchObject({ account: 'Field notes', status: 'connected', run: { counts: { created: 1 } } });
  expect(await contacts()).toEqual([]);
  await act('sync');
  await expect.poll(contacts).toMatchObject([{ name: 'Ana Diaz', phone: '+34612345601' }]);
  // What a sync wrote may be read once more before anybody looks.
  await expect.poll(read).toMatchObject({ status: 'connected' });
  expect((await read()).recordsSynced).toBeGreaterThanOrEqual(1);

  // Called back: only a signed call counts.
  notebook.write(ana.id, { name: 'Anita Diaz' });
  const url = 'http://localhost:3000/webhooks/notebook/acme';
  expect((await fixture.app.request(url, notebook.webhook(ana.id, 'another key'))).status).toBe(401);
  expect((await fixture.app.request(url, notebook.webhook(ana.id))).status).toBe(204);
  await expect.poll(contacts).toMatchObject([{ name: 'Anita Diaz' }]);
  await expect.poll(read).toMatchObject({ status: 'connected' });

  // Edited here, and opted out.
  const { id, version } = (await contacts())[0]!; // brought by the sync
  const edited = await admin.patch(`/api/contacts/${id}`, { name: 'Ana María Diaz', version });
  expect(edited.status).toBe(200);
  const said = { kind: 'opt_out', text: 'by phone' };
  await admin.post(`/api/contacts/${id}/consents`, said, crypto.randomUUID());
  await act('sync');
  await expect
    .poll(() => notebook.people.get(ana.id))
    .toMatchObject({ name: 'Ana María Diaz', stop: 'true' });

  // Told of what happens here.
  const ben = { name: 'Ben Diaz', phone: '+34612345602', tags: [] };
  expect((await admin.post('/api/contacts', ben, crypto.randomUUID())).status).toBe(200);
  await expect.poll(() => notebook.heard).toContainEqual({ type: 'contact.created', contact: 'Ben Diaz' });
  await expect.poll(read).toMatchObject({ status: 'connected', errors: 0 });
  await act('disconnect');
  expect(await contacts()).toHaveLength(2);
});
