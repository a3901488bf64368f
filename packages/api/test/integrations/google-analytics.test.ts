import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { googleAnalyticsConnector } from '@app/providers/google-analytics/google-analytics-connector';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { enqueueCampaignResults } from '../../src/integrations/events/campaign-results.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let sandbox: Sandbox;
let fixture: ApiFixture;
let admin: ApiCaller;
let channelId: string;
const query = async (text: string, values: unknown[] = []) =>
  (await fixture.db.systemPool.query(text, values)).rows;
beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const kind = { ...googleAnalyticsConnector({ sandboxUrl: url }), limit: {} };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind]) });
  admin = await fixture.as('admin');
  channelId = await fixture.addChannel();
});
afterAll(async () => {
  await fixture.close();
  await sandbox.close();
});
beforeEach(async () => {
  sandbox.google_analytics.reset();
  for (const table of ['integrations', 'campaigns', 'delivery_runs']) await query(`DELETE FROM ${table}`);
});

const SECRETS = { measurementId: 'G-SANDBOX01', apiSecret: 'sandbox-google-analytics-secret' };
const post = (path: string, body: object = {}) =>
  admin.post(`/api/integrations/google_analytics/${path}`, body, crypto.randomUUID());
const connect = async (values: object = SECRETS) => (await post('connect', { values })).status;
const events = () =>
  [...sandbox.google_analytics.events.newestFirst()]
    .toReversed()
    .map(({ name, params }) => [name, params['campaign'], params['value']]);
const count = () => enqueueCampaignResults(fixture.parts);

/** A campaign that runs, with the counts of its run. */
async function addCampaign(name: string, counts: { accepted: number; delivered: number; read: number }) {
  const { workspaceId } = fixture;
  const [{ id }] = await query(
    `INSERT INTO campaigns (id, workspace_id, name, custom_message, audience, audience_size, status)
     VALUES (gen_random_uuid(), $1, $2, 'Hello', '{"contactIds": []}', 100, 'draft') RETURNING id`,
    [workspaceId, name],
  );
  const [{ run_no: runNo }] = await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, total, state, started_at, accepted, delivered, read)
     VALUES (nextval('delivery_run_small'), $1, $2, $3, '{}', 'marketing', '{}', 100, 'running', now(), $4, $5, $6) RETURNING run_no`,
    [workspaceId, channelId, id, counts.accepted, counts.delivered, counts.read],
  );
  await query('UPDATE campaigns SET run_no = $2, channel_id = $3 WHERE id = $1', [id, runNo, channelId]);
  const grow = (sql: string) => query(`UPDATE delivery_runs SET ${sql} WHERE run_no = $1`, [runNo]);
  return { id, grow };
}

test('the form of the ID is checked, and the secret never comes back', async () => {
  expect(await connect({ ...SECRETS, measurementId: 'UA-1' })).toBe(422);
  expect(await connect()).toBe(200);
  const shown = await (await admin.get('/api/integrations/google_analytics')).text();
  expect(JSON.parse(shown)).toMatchObject({
    ...{ status: 'connected', account: 'G-SANDBOX01', syncsContacts: false, mapping: [] },
  });
  expect({ ...JSON.parse(shown), sandbox: null }).not.toMatchObject({ keyHint: SECRETS.apiSecret });
});

longTest('results are counts of what came since the last time, each once', async () => {
  const old = await addCampaign('Before', { accepted: 10, delivered: 8, read: 3 });
  expect(await connect()).toBe(200);
  await count();
  const spring = await addCampaign('Spring Sale', { accepted: 50, delivered: 20, read: 0 });
  await old.grow('read = 4');
  // Two processes look at the same time.
  await Promise.all([count(), count()]);
  await expect.poll(events).toEqual(
    expect.arrayContaining([
      ['msg_read', 'before', 1],
      ['msg_sent', 'spring-sale', 50],
      ['msg_delivered', 'spring-sale', 20],
    ]),
  );
  await spring.grow('delivered = 45, read = 30, failed = 5');
  await count();
  await count();
  await expect.poll(events).toHaveLength(5);
  expect(events().slice(3)).toEqual([
    ['msg_delivered', 'spring-sale', 25],
    ['msg_read', 'spring-sale', 30],
  ]);
});

test('what happened while results were not wanted, or before a connection, is not sent', async () => {
  expect(await connect()).toBe(200);
  await count();
  const topics = async (wanted: string[]) => {
    const { version } = await (
      await admin.get('/api/integrations/google_analytics/events')
    ).json<{ version: number }>();
    const body = { topics: wanted, target: null, version };
    expect((await admin.put('/api/integrations/google_analytics/events', body)).status).toBe(200);
  };
  await topics(['replies']);
  const spring = await addCampaign('Spring Sale', { accepted: 50, delivered: 20, read: 0 });
  await count();
  await topics(['campaignResults']);
  await count();
  await spring.grow('read = 2');
  await count();
  await expect.poll(events).toEqual([['msg_read', 'spring-sale', 2]]);
  expect((await post('disconnect')).status).toBe(200);
  await spring.grow('read = 9');
  await count();
  expect(await connect()).toBe(200);
  await count();
  await spring.grow('read = 10');
  await count();
  await expect.poll(events).toEqual([
    ['msg_read', 'spring-sale', 2],
    ['msg_read', 'spring-sale', 1],
  ]);
});

test('a test event is seen there', async () => {
  expect(await connect()).toBe(200);
  expect((await post('events/test')).status).toBe(200);
  await expect.poll(events).toEqual([['msg_test', undefined, undefined]]);
});

test('an event whose answer is lost is not sent again, because it would count twice', async () => {
  expect(await connect()).toBe(200);
  sandbox.google_analytics.behaviour.htmlNext = 1;
  const phone = '+34612345699';
  const made = await admin.post('/api/contacts', { name: 'Ana', phone, tags: [] }, crypto.randomUUID());
  const { id } = await made.json<{ id: string }>();
  const said = { kind: 'opt_out', text: 'by phone' };
  expect((await admin.post(`/api/contacts/${id}/consents`, said, crypto.randomUUID())).status).toBe(200);
  const failed = () =>
    query(`SELECT status, attempts FROM webhook_deliveries WHERE contact_ids = ARRAY[$1::uuid]`, [id]);
  await expect.poll(failed).toEqual([{ status: 'failed', attempts: 1 }]);
  expect(events()).toEqual([]);
});
