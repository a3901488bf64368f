import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { salesforceConnector } from '@app/providers/salesforce/salesforce-connector';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let sandbox: Sandbox;
let fixture: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const kind = { ...salesforceConnector({ sandboxUrl: url }), limit: {} };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind]) });
  admin = await fixture.as('admin');
});
afterAll(async () => {
  await fixture.close();
  await sandbox.close();
});

const read = async () => (await admin.get('/api/integrations/salesforce')).json<Integration>();
const post = (path: string, body: object = {}) => admin.post(path, body, crypto.randomUUID());

test('an opt-out becomes a task of the record that the sync linked, and of nobody else', async () => {
  sandbox.salesforce.clearRecords();
  const ana = sandbox.salesforce.create('Contact', { LastName: 'Diaz', MobilePhone: '+34 612 345 601' });
  const values = {
    ...{
      domain: 'sandbox',
      clientId: 'sandbox-salesforce-client',
      clientSecret: 'sandbox-salesforce-secret',
    },
  };
  expect((await post('/api/integrations/salesforce/connect', { values })).status).toBe(200);
  await expect.poll(async () => (await read()).run?.status).toBe('done');
  expect((await post('/api/integrations/salesforce/sync')).status).toBe(200);
  await expect.poll(read).toMatchObject({ status: 'connected', recordsSynced: 1 });
  const other = { name: 'Only Here', phone: '+34612345699', tags: [] };
  await post('/api/contacts', other);
  const { items } = await (
    await admin.get('/api/contacts?limit=10')
  ).json<{ items: { id: string; name: string }[] }>();
  for (const { id } of items)
    expect((await post(`/api/contacts/${id}/consents`, { kind: 'opt_out', text: 'by phone' })).status).toBe(
      200,
    );
  const delivered = async () =>
    (await (await admin.get('/api/integrations/salesforce/events')).json<{ delivered: number }>()).delivered;
  await expect.poll(delivered).toBe(2);
  expect(sandbox.salesforce.list('Task').map(({ values: task }) => [task['WhoId'], task['Subject']])).toEqual(
    [[ana.id, 'Opted out of messages']],
  );
});
