import type { ConnectorEvent } from '@app/domain/integrations/event-connector';
import type { RemoteRecord } from '@app/domain/integrations/contact-connector';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hubspotConnector } from '../src/hubspot/hubspot-connector.ts';
import { hubspotWebhooks } from '../src/hubspot/hubspot-webhooks.ts';
import { openConnectorScene } from './connector-scene.ts';

const FIELDS = ['name', 'phone', 'email', 'messaging_opt_out'];
const { sandbox, open, close } = await openConnectorScene(hubspotConnector);
afterAll(close);
const contacts = open().contacts!; // it has some
beforeEach(() => {
  sandbox.hubspot.reset();
  sandbox.hubspot.contacts.clear();
});

const fill = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) =>
    sandbox.hubspot.create({
      firstname: `Person ${from + place}`,
      phone: `+3461${2_000_000 + from + place}`,
    }),
  );

async function pullAll(cursor: string | null): Promise<{ records: RemoteRecord[]; cursor: string }> {
  const records: RemoteRecord[] = [];
  for (let next = cursor; ;) {
    const reply = await contacts.pull(next, FIELDS);
    if (!reply.ok) throw new Error(reply.problem);
    records.push(...reply.value.records);
    next = reply.value.cursor;
    if (reply.value.isLast) return { records, cursor: next };
  }
}

describe('a pull', () => {
  test('reads every page once, and afterwards what changed or went', async () => {
    const all = fill(250);
    const first = await pullAll(null);
    expect(new Set(first.records.map(({ id }) => id)).size).toBe(250);
    sandbox.hubspot.update(all[7]!, { firstname: 'Changed' });
    sandbox.hubspot.archive(all[8]!);
    sandbox.hubspot.behaviour.clockAheadMs = 25 * 3_600_000;
    const second = await pullAll(first.cursor);
    expect(second.records.find(({ id }) => id === all[7]!.id)?.values['name']).toBe('Changed');
    expect(second.records.filter(({ isDeleted }) => isDeleted).map(({ id }) => id)).toEqual([all[8]!.id]);
  });

  test('loses nothing that is changed while it reads', async () => {
    const all = fill(150);
    const first = await contacts.pull(null, FIELDS);
    if (!first.ok) throw new Error(first.problem);
    sandbox.hubspot.update(all[3]!, { firstname: 'Changed behind the page' });
    const rest = await pullAll(first.value.cursor);
    const next = await pullAll(rest.cursor);
    expect(next.records.some(({ values }) => values['name'] === 'Changed behind the page')).toBe(true);
  });

  test('reads on by id where more contacts changed in one moment than a search shows', async () => {
    const { cursor } = await pullAll(null);
    const all = fill(10_050);
    for (const contact of all) contact.updatedAt = all[0]!.updatedAt;
    const last = fill(1, all.length)[0]!;
    const { records } = await pullAll(cursor);
    expect(new Set(records.map(({ id }) => id))).toEqual(new Set([...all, last].map(({ id }) => id)));
  });

  test('tells times by our clock, where that of the service is another', async () => {
    sandbox.hubspot.behaviour.clockAheadMs = 3_600_000;
    fill(1);
    const { records } = await pullAll(null);
    expect(Math.abs(records[0]!.editedAt.getTime() - Date.now())).toBeLessThan(600_000);
  });
});

describe('a push', () => {
  test('creates each record once, whoever asks how often, and reports one that is wrong beside the others', async () => {
    const writes = [
      { externalId: null, phone: '+34612000001', values: { name: 'Ana Diaz', email: 'ana@shop.example' } },
      { externalId: null, phone: '+34612000002', values: { name: 'Ben', email: 'no address' } },
      { externalId: null, phone: '+34612000003', values: { name: 'Cleo' } },
    ];
    for (const _ of [1, 2]) {
      const reply = await contacts.push(writes);
      expect(reply).toMatchObject({ ok: true, value: [{ ok: true }, { ok: false }, { ok: true }] });
    }
    const there = [...sandbox.hubspot.contacts.values()].map(({ properties }) => properties);
    expect(there).toMatchObject([
      { firstname: 'Ana', lastname: 'Diaz', messaging_phone_e164: '+34612000001' },
      { firstname: 'Cleo' },
    ]);
  });

  test('finds records by number in other spellings, and by address', async () => {
    sandbox.hubspot.create({ firstname: 'Ana', phone: '+34 612 00 00 01' });
    sandbox.hubspot.create({ firstname: 'Bea', email: 'Bea@Shop.example' });
    const found = await contacts.find({ phones: ['+34612000001'], emails: ['bea@shop.example'] }, FIELDS);
    expect(found.ok && found.value.map(({ values }) => values['name'])).toEqual(['Ana', 'Bea']);
  });
});

test.each([
  [{ rejectNext: 9, retryAfterSeconds: null, policyName: 'DAILY' }, 'service_busy', 3_600_000],
  [{ failNext: 9 }, 'service_away', 10_000],
  [{ isRevoked: true }, 'credentials_wrong', null],
])('what the service says is a problem with its pause', async (behaviour, problem, retryAfterMs) => {
  Object.assign(sandbox.hubspot.behaviour, behaviour);
  expect(await contacts.fetch(['501'], FIELDS)).toMatchObject({ ok: false, problem, retryAfterMs });
});

describe('a webhook', () => {
  // Composed for the signature v3 of the vendor.
  const body = new TextEncoder().encode(
    '[{"eventId":1,"subscriptionType":"contact.creation","objectId":42}]',
  );
  const at = 1_790_000_000_000;
  const request = (signature: string, now = at) => ({
    ...{ method: 'POST', url: 'https://app.test/hooks/hubspot', body, now: new Date(now) },
    headers: new Headers({
      'x-hubspot-signature-v3': signature,
      'x-hubspot-request-timestamp': String(at),
    }),
  });
  const right = 'X6+02shdYlLifg5+4Z0DBDvPBW+cBqjO6PhMkyxEpjU=';

  test.each([
    ['the right one', 'hs-secret', request(right), true],
    ['another secret', 'other', request(right), false],
    ['no secret', '', request(right), false],
    ['another signature', 'hs-secret', request(right.replace('X6', 'X7')), false],
    ['a signature that is six minutes old', 'hs-secret', request(right, at + 360_000), false],
  ])('is believed with %s: %#', (_, appSecret, asked, isSigned) => {
    expect(hubspotWebhooks.isSigned({ appSecret }, asked)).toBe(isSigned);
  });

  test('names each contact once, and nothing else', () => {
    const events = [
      { subscriptionType: 'contact.propertyChange', objectId: 7 },
      { subscriptionType: 'contact.deletion', objectId: 7 },
      { subscriptionType: 'company.creation', objectId: 8 },
      { subscriptionType: 'object.creation', objectTypeId: '0-1', objectId: 9 },
      'nothing',
    ];
    const read = (value: unknown) =>
      hubspotWebhooks.readChanged(new TextEncoder().encode(JSON.stringify(value)), new Headers());
    expect(read(events)).toEqual(['7', '9']);
    expect(read({})).toBeNull();
  });
});

describe('what happens to a person', () => {
  const events = open().events!; // it has some
  const event = (type: string, more: Partial<ConnectorEvent> = {}): ConnectorEvent => ({
    ...{ id: '0193a6f0-0000-7000-8000-0000000000e1', type, occurredAt: '2026-11-27T10:00:00.000Z', data: {} },
    ...{ contact: null, conversation: null, messages: [], campaign: null, language: 'en' },
    ...{ target: null, hookUrl: null, mayBeThere: false, ...more },
  });
  const person = { id: 'c', name: 'Ana', phone: null, email: null, tags: [] };
  const notes = () => sandbox.hubspot.activities.map(({ properties }) => properties['hs_note_body']);

  test('is a note of their contact, once, with their words as text', async () => {
    const [ana] = fill(1);
    const contact = { ...person, externalId: ana!.id };
    const conversation = { id: 'v', link: 'https://app.test/inbox/v?a=1&b=2', thread: null };
    const messages = [{ id: 'm', text: '<b>Is it "open"?</b>\nThanks', at: '2026-11-27T10:00:00.000Z' }];
    const data = { status: 'resolved' };
    const resolved = event('conversation.status_changed', { contact, conversation, messages, data });
    expect(await events.send(resolved)).toEqual({ outcome: 'sent' });
    expect(await events.send({ ...resolved, mayBeThere: true })).toEqual({ outcome: 'sent' });
    expect(sandbox.hubspot.activities).toMatchObject([
      { contactIds: [ana!.id], properties: { hs_timestamp: '2026-11-27T10:00:00.000Z' } },
    ]);
    expect(notes()).toEqual([
      '<p><strong>Conversation resolved</strong></p><p>&lt;b&gt;Is it &quot;open&quot;?&lt;/b&gt;<br>Thanks</p>' +
        '<p><a href="https://app.test/inbox/v?a=1&amp;b=2">Open chat</a></p><p>#0193a6f0-0000-7000-8000-0000000000e1</p>',
    ]);
    // Behind more notes than one answer lists, it is found by its time.
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 202 }];
    sandbox.hubspot.activities.unshift(
      ...Array.from({ length: 150 }, (_, n) => ({
        ...{ id: `${9000 + n}`, type: 'notes' as const, contactIds: [ana!.id], createdAt: 0 },
        properties: { hs_timestamp: '2026-01-01T00:00:00.000Z', hs_note_body: String(types.length) },
      })),
    );
    expect(await events.send({ ...resolved, mayBeThere: true })).toEqual({ outcome: 'sent' });
    expect(notes()).toHaveLength(151);
  });

  test('is nobody’s note without a record, and a deleted record stops no other', async () => {
    const [ana] = fill(1);
    const contact = { ...person, externalId: ana!.id };
    expect(await events.send(event('chatbot.handed_over', { contact: person }))).toEqual({
      outcome: 'skipped',
    });
    expect(await events.send(event('campaign.started', { contact }))).toEqual({ outcome: 'skipped' });
    expect(await events.send(event('webhook.test'))).toEqual({ outcome: 'sent' });
    expect(sandbox.hubspot.activities).toMatchObject([{ type: 'tasks', contactIds: [] }]);
    sandbox.hubspot.archive(ana!);
    expect(await events.send(event('chatbot.handed_over', { contact }))).toMatchObject({
      outcome: 'refused',
    });
    sandbox.hubspot.behaviour.rejectNext = 1;
    expect(await events.send(event('webhook.test'))).toMatchObject({
      problem: 'service_busy',
      isUnknown: false,
    });
    sandbox.hubspot.behaviour.isRevoked = true;
    expect(await events.send(event('webhook.test'))).toMatchObject({ problem: 'credentials_wrong' });
  });
});
