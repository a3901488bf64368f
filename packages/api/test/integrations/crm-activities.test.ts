import { newId } from '@app/database/new-id';
import { indexConnectorKinds, type ConnectorKind } from '@app/domain/integrations/connector-kind';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { salesforceConnector } from '@app/providers/salesforce/salesforce-connector';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueCampaignOutcomes } from '../../src/integrations/events/campaign-outcomes.ts';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { finishRun, startCampaign } from '../campaigns/campaign-scenes.ts';

const NAMES = ['Ana Diaz', 'Ben Okoro', 'Chloé Martin', 'Dora Leal'];
const PHONES = ['+34612345601', '+34612345602', '+34612345603', '+34612345604'];
let sandbox: Sandbox;
let fixture: ApiFixture;
let admin: ApiCaller;
let channelId: string;
/** Ids of the contacts here, in the order of `NAMES`. */
let contactIds: string[];
let kinds: ConnectorKind[];
beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  kinds = [hubspotConnector({ sandboxUrl: url }), salesforceConnector({ sandboxUrl: url })].map((kind) => ({
    ...kind,
    limit: {},
    events: { ...kind.events!, perSecond: 100 },
  }));
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds(kinds) });
  admin = await fixture.as('admin');
  channelId = await fixture.addChannel();
  sandbox.hubspot.contacts.clear();
  sandbox.salesforce.clearRecords();
  NAMES.forEach((name, n) => {
    const [first = '', last = ''] = name.split(' ');
    sandbox.hubspot.create({ firstname: first, lastname: last, phone: PHONES[n]! });
    sandbox.salesforce.create('Contact', { FirstName: first, LastName: last, MobilePhone: PHONES[n]! });
  });
});
afterAll(async () => {
  await fixture.close();
  await sandbox.close();
});

const post = (path: string, body: object = {}) => admin.post(path, body, crypto.randomUUID());
const query = async (text: string, values: unknown[] = []) =>
  (await fixture.db.systemPool.query(text, values)).rows;
async function choose(kind: string, topics: string[]) {
  const path = `/api/integrations/${kind}/events`;
  const { version } = await (await admin.get(path)).json<{ version: number }>();
  expect((await admin.put(path, { topics, target: null, version })).status).toBe(200);
}
/** Who has a note, and its first line. */
const notes = () =>
  sandbox.hubspot.activities
    .map(({ contactIds: [id], properties }) => [
      sandbox.hubspot.contacts.get(id!)?.properties['firstname'],
      /<strong>(.*?)<\/strong>/.exec(properties['hs_note_body'] ?? '')?.[1],
    ])
    .toSorted();
const tasks = () =>
  sandbox.salesforce
    .list('Task')
    .map(({ values }) => [
      sandbox.salesforce.find(String(values['WhoId']))?.values['FirstName'],
      values['Subject'],
    ]);
/** A conversation whose window is open, so that a campaign without a template reaches the contact. */
async function beginChat(contactId: string): Promise<string> {
  const id = newId();
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
     VALUES ($1, $2, $3, $4, now(), now() + interval '9 hours')`,
    [id, fixture.workspaceId, contactId, channelId],
  );
  return id;
}
/** Nothing of the connections waits any more. */
const untilSent = async () => {
  await expect.poll(() => query(`SELECT type FROM webhook_deliveries WHERE status = 'waiting'`)).toEqual([]);
};

test('an opt-out is written down with the record that the sync linked, and with nobody else', async () => {
  for (const kind of kinds) {
    const path = `/api/integrations/${kind.name}`;
    const read = async () => (await admin.get(path)).json<Integration>();
    expect((await post(`${path}/connect`, { values: kind.sandbox })).status).toBe(200);
    await expect.poll(async () => (await read()).run?.status).toBe('done');
    expect((await post(`${path}/sync`)).status).toBe(200);
    await expect.poll(read).toMatchObject({ status: 'connected', recordsSynced: 4 });
  }
  await post('/api/contacts', { name: 'Only Here', phone: '+34612345699', tags: [] });
  const rows = await query('SELECT id, phone FROM contacts');
  contactIds = PHONES.map((phone) => rows.find((row) => row.phone === phone)!.id);
  for (const { id } of await query('SELECT id FROM contacts WHERE name IN ($1, $2)', [
    'Dora Leal',
    'Only Here',
  ]))
    expect((await post(`/api/contacts/${id}/consents`, { kind: 'opt_out', text: 'by phone' })).status).toBe(
      200,
    );
  await expect.poll(tasks).toEqual([['Dora', 'Opted out of messages']]);
  await expect.poll(notes).toEqual([['Dora', 'Opted out of messages']]);
  await untilSent();
  // The event of the contact who has no record there is no synced record: four came in, one note went out.
  for (const { name } of kinds)
    expect((await (await admin.get(`/api/integrations/${name}`)).json<Integration>()).recordsSynced).toBe(5);
});

test('a conversation that is resolved is written down; its other states are not enqueued', async () => {
  sandbox.hubspot.activities = [];
  await choose('salesforce', []);
  const ids = [await beginChat(contactIds[0]!), await beginChat(contactIds[1]!)];
  const set = async (id: string, version: number, status: string) =>
    expect((await admin.put(`/api/conversations/${id}/status`, { version, status })).status).toBe(200);
  const [{ version }] = await query('SELECT version FROM conversations WHERE id = $1', [ids[0]]);
  for (const [n, status] of ['waiting', 'resolved', 'open', 'resolved'].entries())
    await set(ids[0]!, version + n, status);
  const items = ids.map((id, n) => ({ id, version: n === 0 ? version + 4 : version }));
  const changed = await post('/api/conversations/change', {
    conversations: items,
    change: { status: 'resolved' },
  });
  expect([changed.status, await changed.text()]).toEqual([200, expect.anything()]);
  const resolved = (name: string) => [name, 'Conversation resolved'];
  await expect.poll(notes).toEqual([resolved('Ana'), resolved('Ana'), resolved('Ben')]);
  await untilSent();
  expect(
    await query(`SELECT FROM webhook_deliveries WHERE type LIKE 'conversation%' AND status = 'delivered'`),
  ).toHaveLength(3);
});

test('outcomes of campaigns are written down once, a day after, and only while they are wanted', async () => {
  sandbox.hubspot.activities = [];
  const look = () => enqueueCampaignOutcomes(fixture.parts);
  const made = await post('/api/contacts', { name: 'Not There', phone: '+34612345698', tags: [] });
  const { id: notThere } = await made.json<{ id: string }>();
  for (const contactId of [contactIds[2]!, notThere]) await beginChat(contactId);
  const run = async (name: string) => {
    const audience = { contactIds: [...contactIds.slice(0, 3), notThere] };
    const { id } = await startCampaign(admin, { name, audience });
    await finishRun(fixture, id);
    await complete(id);
    return id;
  };
  const complete = (id: string) =>
    query(
      `UPDATE delivery_runs SET completed_at = clock_timestamp() - interval '24 hours' WHERE campaign_id = $1`,
      [id],
    );
  await look();
  await run('Not wanted yet');
  await choose('hubspot', ['campaignOutcomes']);
  await look();
  const spring = await run('Spring & co');
  const outcomes = async () => {
    // Two processes look at the same time.
    await Promise.all([look(), look()]);
    return notes();
  };
  const words = await query(
    `SELECT split_part(c.name, ' ', 1) AS name, r.seq FROM delivery_recipients r JOIN delivery_runs run USING (run_no) JOIN contacts c ON c.id = r.contact_id
      WHERE run.campaign_id = $1 AND c.name <> 'Not There'`,
    [spring],
  );
  const expected = (title: string) =>
    words
      .map(({ name, seq }) => [name, `Campaign “${title}”: ${seq < 2 ? 'delivered' : 'failed'}`])
      .toSorted();
  await expect.poll(outcomes).toEqual(expected('Spring &amp; co'));
  // Completed a second time, and another one behind it.
  await complete(spring);
  const summer = await run('Summer');
  await query(
    `UPDATE delivery_recipients SET read_at = now(), replied_at = now() WHERE seq < 2 AND run_no = (SELECT run_no FROM delivery_runs WHERE campaign_id = $1)`,
    [summer],
  );
  const later = expected('Summer').map(([name, title]) => [
    name,
    title!.replace('delivered', 'read, replied'),
  ]);
  await expect.poll(outcomes).toEqual([...expected('Spring &amp; co'), ...later].toSorted());
  await choose('hubspot', ['optOuts']);
  await look();
  await untilSent();
  expect(await query(`SELECT outcomes_place FROM integrations WHERE kind = 'hubspot'`)).toEqual([
    { outcomes_place: null },
  ]);
});
