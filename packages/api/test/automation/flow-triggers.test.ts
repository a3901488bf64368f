import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openFlowFixture, step, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
const HOUR = 3_600_000;

beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(async () => {
  await flows.api.db.systemPool.query('DELETE FROM flows');
  await flows.api.db.systemPool.query('DELETE FROM contacts');
});

const tagging = (type: string, config: object, rest: object = {}) => ({
  ...{ triggers: [{ ...trigger(type, config), ...rest }], start: 'tag' },
  steps: [step('tag', 'add_tag', { tag: 'began' })],
});
const whoBegan = async (workflowId: string) =>
  (await flows.runsOf(workflowId)).map(({ contact }) => contact?.id ?? null).toSorted();
const local = (at: Date) => at.toISOString().slice(0, 16);
const now = () => flows.api.parts.clock();
const emit = (fact: Parameters<Parameters<Parameters<typeof changeAsSystem>[3]>[0]['emit']>[0]) =>
  changeAsSystem(flows.api.parts, 'webhooks', flows.api.workspaceId, (scope) => scope.emit(fact));

describe('a time', () => {
  const due = async (ms: number) => {
    flows.api.advance(ms);
    await flows.settle();
  };

  test('begins a run for each contact that meets the conditions, once', async () => {
    const vip = await flows.addContact({ tags: ['vip'] });
    await flows.addContact();
    const config = { mode: 'at', at: local(new Date(now().getTime() + 2 * HOUR)), zone: 'UTC' };
    const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
    const { id } = await flows.publish(tagging('time_based', config, { conditions: rules }));
    await flows.settle();
    expect(await whoBegan(id)).toEqual([]);
    await due(2 * HOUR);
    await due(HOUR);
    expect(await whoBegan(id)).toEqual([vip.id]);
  });

  test('that is planned by the zone of the workspace moves with it, and comes once', async () => {
    const contact = await flows.addContact();
    const soon = new Date(now().getTime() + 3 * HOUR);
    // On the clocks of a zone that is two hours ahead the same time comes two hours earlier.
    const { id } = await flows.publish(tagging('time_based', { mode: 'at', at: local(soon) }));
    const read = async () => (await flows.admin.get('/api/settings/general')).json<{ version: number }>();
    const setZone = async (timeZone: string) => {
      const { version } = await read();
      expect((await flows.admin.put('/api/settings/general', { timeZone, version })).status).toBe(200);
      await flows.settle();
    };
    await setZone('Africa/Maputo');
    await due(HOUR);
    expect(await whoBegan(id)).toEqual([contact.id]);
    await setZone('UTC');
    await due(2 * HOUR);
    expect(await whoBegan(id)).toEqual([contact.id]);
  });

  test('begins one run without a contact each hour', async () => {
    const { id } = await flows.publish({
      triggers: [trigger('time_based', { mode: 'every', period: 'hour', time: '09:00', runs: 'once' })],
      ...{ start: 'end', steps: [step('end', 'stop', { outcome: 'completed' })] },
    });
    await due(HOUR);
    await due(HOUR);
    expect(await whoBegan(id)).toEqual([null, null]);
    expect((await flows.runsOf(id))[0]).toMatchObject({ status: 'completed', isContactGone: false });
  });

  test('on a date of the contact means those who have that day', async () => {
    const field = await (
      await flows.admin.post('/api/custom-fields', { label: 'Birthday', type: 'date' })
    ).json<{ id: string; key: string }>();
    const soon = new Date(now().getTime() + HOUR);
    const born = (day: string) => flows.addContact({ customFields: { [field.key]: day } });
    const meant = await born(`1988${local(soon).slice(4, 10)}`);
    await born(`1988${local(new Date(soon.getTime() - 72 * HOUR)).slice(4, 10)}`);
    const at = { time: local(soon).slice(11), zone: 'UTC' };
    const { id } = await flows.publish(
      tagging('time_based', { mode: 'date_field', field: field.id, yearly: true, ...at }),
    );
    await due(HOUR);
    expect(await whoBegan(id)).toEqual([meant.id]);
  });

  longTest(
    'in the zone of the contact comes for each when their clocks show it, and by the workspace where the number tells no zone',
    async () => {
      const indian = await flows.addContact({ phone: '+919812345678' });
      const american = await flows.addContact();
      // Clocks in India are five and a half hours ahead of those of the workspace.
      const at = local(new Date(now().getTime() + 7.5 * HOUR));
      const { id } = await flows.publish(tagging('time_based', { mode: 'at', at, zone: 'contact' }));
      await due(HOUR);
      expect(await whoBegan(id)).toEqual([]);
      await due(HOUR);
      // Each look begins the occurrence of one zone.
      await flows.settle();
      await flows.settle();
      expect(await whoBegan(id)).toEqual([indian.id]);
      for (let hours = 0; hours < 6; hours += 1) await due(HOUR);
      await flows.settle();
      expect(await whoBegan(id)).toEqual([indian.id, american.id].toSorted());
    },
  );

  longTest('that was missed while the workflow was paused is not made up for', async () => {
    await flows.addContact();
    const { id } = await flows.publish(
      tagging('time_based', { mode: 'every', period: 'hour', time: '09:00' }),
    );
    await flows.admin.post(`/api/workflows/${id}/pause`);
    await due(HOUR);
    await flows.admin.post(`/api/workflows/${id}/activate`);
    await flows.settle();
    expect(await whoBegan(id)).toEqual([]);
    await due(HOUR);
    expect(await whoBegan(id)).toHaveLength(1);
  });
});

test('a schedule of an older version fires no more', async () => {
  const contact = await flows.addContact();
  const at = (hours: number) => ({
    ...{ mode: 'at', zone: 'UTC' },
    at: local(new Date(now().getTime() + hours * HOUR)),
  });
  const { id, flow } = await flows.publish(tagging('time_based', at(1)));
  const { version } = await (await flows.admin.get(`/api/workflows/${id}`)).json<{ version: number }>();
  const saved = await flows.admin.put(`/api/workflows/${id}`, {
    ...{ ...flow, ...tagging('time_based', at(3)), version },
  });
  const draft = await saved.json<{ version: number }>();
  const published = await flows.admin.post(`/api/workflows/${id}/publish`, { version: draft.version });
  expect([saved.status, published.status]).toEqual([200, 200]);
  flows.api.advance(2 * HOUR);
  await flows.settle();
  expect(await whoBegan(id)).toEqual([]);
  flows.api.advance(HOUR);
  await flows.settle();
  expect(await whoBegan(id)).toEqual([contact.id]);
});

test('a conversation that a member opens and writes in begins nothing; the reply of the contact does', async () => {
  const contact = await flows.addContact();
  const { id } = await flows.publish(tagging('message_received', { match: 'any' }));
  const opened = await flows.admin.post('/api/conversations', { contactId: contact.id });
  expect(opened.status).toBe(200);
  // From the phone of the business: it arrives as the messages of contacts do.
  const messageId = await flows.receive(contact.id, 'How can we help?');
  await flows.api.db.systemPool.query(`UPDATE messages SET direction = 'out' WHERE id = $1`, [messageId]);
  await flows.settle();
  expect(await whoBegan(id)).toEqual([]);
  await flows.receive(contact.id, 'With an order');
  await flows.settle();
  expect(await whoBegan(id)).toEqual([contact.id]);
});

test('a message starts no flow of the bot: the chatbot decides which one answers', async () => {
  const contact = await flows.addContact();
  const flow = tagging('message_received', { match: 'any' });
  const { id } = await flows.publish(flow);
  const { systemPool } = flows.api.db;
  await systemPool.query(`UPDATE flows SET kind = 'bot' WHERE id = $1`, [id]);
  await flows.receive(contact.id, 'Hello');
  await flows.settle();
  expect((await systemPool.query('SELECT FROM flow_starts WHERE flow_id = $1', [id])).rowCount).toBe(0);
  const draft = {
    format: 'flow',
    formatVersion: 1,
    kind: 'bot',
    name: 'Any message',
    description: '',
    ...flow,
  };
  const checked = await flows.admin.post('/api/workflows/check', { flow: draft });
  expect(await checked.json()).toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code: 'trigger_unknown' })]),
  });
});

test('one edit that adds several tags of a trigger begins one run, and a tag that is there begins none', async () => {
  const { id } = await flows.publish(tagging('tag_added', { tags: ['VIP', 'gold'] }));
  const contact = await flows.addContact();
  const edit = async (addTags: string[]) =>
    (
      await flows.admin.post('/api/contacts/bulk-edit', { choice: { contactIds: [contact.id] }, addTags })
    ).json();
  await edit(['VIP', 'gold', 'other']);
  await edit(['VIP']);
  await flows.settle();
  expect(await whoBegan(id)).toEqual([contact.id]);
});

longTest('an import starts runs of the contacts that it made at the pace of the workflow', async () => {
  const importId = newId();
  const { id } = await flows.publish({ ...tagging('new_contact', {}), settings: { runsPerMinute: 5 } });
  await flows.api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, import_id)
     SELECT gen_random_uuid(), $1, 'Imported', '+4930' || (1000000 + n), $2 FROM generate_series(1, 12) AS n`,
    [flows.api.workspaceId, importId],
  );
  await emit({ type: 'contacts.imported', subject: importId, values: { imported: 12 } });
  await flows.settle();
  expect(await whoBegan(id)).toHaveLength(5);
  flows.api.advance(30_000);
  await flows.settle();
  expect(await whoBegan(id)).toHaveLength(5);
  for (let minute = 0; minute < 4; minute += 1) {
    flows.api.advance(61_000);
    await flows.settle();
  }
  expect(new Set(await whoBegan(id)).size).toBe(12);
  expect((await (await flows.admin.get(`/api/workflows/${id}`)).json<{ status: string }>()).status).toBe(
    'active',
  );
});

test('tags of an import start workflows for those who did not have them, once each', async () => {
  const importId = newId();
  const { id } = await flows.publish(tagging('tag_added', { tags: ['VIP', 'gold'] }));
  const { db, workspaceId } = flows.api;
  let people = 0;
  const add = async (name: string, tags: string[], isNew = true) => {
    const contactId = newId();
    people += 1;
    await db.systemPool.query(
      `INSERT INTO contacts (id, workspace_id, name, phone, tags, import_id) VALUES ($1, $2, $3, $4, $5, $6)`,
      [contactId, workspaceId, name, `+493155500${people}`, tags, isNew ? importId : null],
    );
    return contactId;
  };
  const changed = async (contactId: string, before: string[]) =>
    db.systemPool.query(
      `INSERT INTO contact_import_changes (import_id, workspace_id, contact_id, name, tags, status, custom_values, version, is_same)
       VALUES ($1, $2, $3, 'Before', $4, 'active', '{}', 2, false)`,
      [importId, workspaceId, contactId, before],
    );
  await db.systemPool.query(
    `INSERT INTO contact_imports (id, workspace_id, file_name) VALUES ($1, $2, 'list.csv')`,
    [importId, workspaceId],
  );
  const both = await add('Both', ['vip', 'gold']);
  const tagged = await add('Tagged', ['gold'], false);
  await changed(tagged, ['old']);
  await changed(await add('Had it', ['vip', 'new'], false), ['vip']);
  await add('None', ['other']);
  await emit({ type: 'contacts.imported', subject: importId, values: { imported: 4 } });
  await flows.settle();
  expect((await whoBegan(id)).toSorted()).toEqual([both, tagged].toSorted());
});

test('a campaign begins runs of those who read it, a while after it was completed', async () => {
  const { db, workspaceId } = flows.api;
  const [read, sent] = [await flows.addContact(), await flows.addContact()];
  const campaignId = newId();
  await db.systemPool.query(`SELECT ensure_delivery_partition(7, 10)`);
  await db.systemPool.query(
    `INSERT INTO campaigns (id, workspace_id, name, custom_message, audience, audience_size, status, run_no)
     VALUES ($1, $2, 'Autumn', 'Hello', '{"contactIds": []}', 2, 'draft', 7)`,
    [campaignId, workspaceId],
  );
  await db.systemPool.query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience)
     VALUES (7, $1, $2, $3, '{}', 'marketing', '{}')`,
    [workspaceId, flows.channelId, campaignId],
  );
  await db.systemPool.query(
    `INSERT INTO delivery_recipients (run_no, seq, workspace_id, contact_id, address, state, accepted_at, read_at)
     SELECT 7, g.seq, $1, g.id, g.phone, 2, now(), g.read FROM (VALUES (0, $2::uuid, '1', now()), (1, $3::uuid, '2', NULL)) AS g (seq, id, phone, read)`,
    [workspaceId, read.id, sent.id],
  );
  const { id } = await flows.publish(
    tagging('campaign_outcome', {
      ...{ campaign: campaignId, outcome: 'read', after: { amount: 1, unit: 'hours' } },
    }),
  );
  const values = { total: 2, sent: 2, failed: 0, cancelled: 0, unknown: 0 };
  await emit({ type: 'campaign.completed', subject: campaignId, values });
  await flows.settle();
  expect(await whoBegan(id)).toEqual([]);
  flows.api.advance(HOUR);
  await flows.settle();
  expect(await whoBegan(id)).toEqual([read.id]);
});

test('a consent begins runs by what was said', async () => {
  const [optedIn, optedOut] = [await flows.addContact(), await flows.addContact()];
  const { id } = await flows.publish(tagging('consent_changed', { consent: 'opt_out' }));
  await flows.admin.post(`/api/contacts/${optedIn.id}/consents`, { kind: 'opt_in', source: 'form' });
  await emit({
    type: 'consents.said',
    subject: null,
    values: { optedOut: [optedOut.id], optedIn: [optedIn.id] },
  });
  await flows.settle();
  expect(await whoBegan(id)).toEqual([optedOut.id]);
});

test('a conversation that is resolved begins a run, and no other change of it does', async () => {
  const contact = await flows.addContact();
  const { id } = await flows.publish(tagging('conversation_resolved', {}));
  const status = (to: 'waiting' | 'resolved', before: 'open' | 'waiting' | 'resolved') =>
    emit({
      ...{ type: 'conversation.status_changed', subject: newId() },
      values: { contactIds: [contact.id], status: to, before, snoozedUntil: null },
    });
  await status('waiting', 'open');
  await status('resolved', 'waiting');
  await status('resolved', 'resolved');
  await flows.settle();
  expect(await whoBegan(id)).toEqual([contact.id]);
});

test('an event of a connected service begins a run with its values, and only the one that was chosen', async () => {
  const { id: contactId } = await flows.addContact();
  const [integrationId, itemId] = [newId(), newId()];
  const { systemPool } = flows.api.db;
  await systemPool.query(
    `INSERT INTO integrations (id, workspace_id, kind, status, is_started, created_at, updated_at)
     VALUES ($1, $2, 'shopify', 'connected', true, now(), now())`,
    [integrationId, flows.api.workspaceId],
  );
  await systemPool.query(
    `INSERT INTO integration_items (id, workspace_id, integration_id, type, external_id, contact_id, title, status, occurred_at, remote_updated_at, "values")
     VALUES ($1, $2, $3, 'order', '7', $4, '#7', 'paid', now(), now(), '{"order_name":"#7"}')`,
    [itemId, flows.api.workspaceId, integrationId, contactId],
  );
  const field = await (
    await flows.admin.post('/api/custom-fields', { label: 'Last order', type: 'text' })
  ).json<{ id: string; key: string }>();
  const { id } = await flows.publish({
    triggers: [trigger('integration_event', { event: 'shopify.order_paid' })],
    start: 'note',
    steps: [step('note', 'set_field', { field: field.id, value: '{{trigger.order_name}}' })],
  });
  for (const event of ['shopify.order_created', 'shopify.order_paid'])
    await emit({
      ...{ type: 'contact.service_event', subject: contactId },
      values: { kind: 'shopify', event, itemId },
    });
  await flows.settle();
  expect(await whoBegan(id)).toEqual([contactId]);
  expect((await flows.contact(contactId)).customFields).toMatchObject({ [field.key]: '#7' });
});
