import type { ConnectorEvent } from '@app/domain/integrations/event-connector';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readMyDomain, salesforceConnector } from '../src/salesforce/salesforce-connector.ts';
import { quoted } from '../src/salesforce/salesforce-soql.ts';
import { openConnectorScene } from './connector-scene.ts';

const { sandbox, open, close } = await openConnectorScene(salesforceConnector);
afterAll(close);
beforeEach(() => sandbox.salesforce.reset());

const FIELDS = ['name', 'phone', 'Email', 'HasOptedOutOfMessages__c'];
const contactsOf = (connector = open()) => connector.contacts!; // it has some
const asked = (part: string) =>
  [...sandbox.salesforce.calls.newestFirst()].filter(({ path }) => path.includes(part));
/** All pages from a cursor on. */
async function pullAll(contacts = contactsOf(), from: string | null = null, fields = FIELDS) {
  const ids: string[] = [];
  for (let cursor = from; ;) {
    const reply = await contacts.pull(cursor, fields);
    if (!reply.ok) throw new Error(`${reply.problem}: ${reply.detail ?? ''}`);
    ids.push(...reply.value.records.map(({ id, isDeleted }) => (isDeleted ? `-${id}` : id)));
    cursor = reply.value.cursor;
    if (reply.value.isLast) return { ids, cursor };
  }
}
const fill = (count: number) => {
  sandbox.salesforce.clearRecords();
  return Array.from({ length: count }, (_, n) =>
    sandbox.salesforce.create('Contact', { LastName: `N${n}`, MobilePhone: `+3461200${1000 + n}` }),
  );
};

test.each([
  ['acme', 'acme.my.salesforce.com'],
  ['https://Acme.my.salesforce.com/setup', 'acme.my.salesforce.com'],
  ['acme--dev.sandbox.lightning.force.com', 'acme--dev.sandbox.my.salesforce.com'],
  ['login.salesforce.com', null],
  ['login', null],
  ['acme.example.com', null],
  ['acme.com', null],
  ['', null],
])('the domain of %j is %j', (written, host) => {
  expect(readMyDomain(written)).toBe(host);
});

test('a text with quotes stays one text', () => {
  expect(quoted(`O'Neil \\`)).toBe(`'O\\'Neil \\\\'`);
});

test('says what is wrong with the connection in the words of the vendor', async () => {
  expect(await open().check()).toEqual({ state: 'healthy', account: 'sandbox' });
  expect(await open({ clientSecret: 'wrong' }).check()).toMatchObject({
    ...{ problem: 'credentials_wrong', detail: 'invalid_client: invalid client credentials' },
  });
  expect(await open({ domain: 'login' }).check()).toMatchObject({ problem: 'account_unknown' });
});

test('reads every page of the vendor once, and goes on without them after a kill', async () => {
  const made = fill(25);
  sandbox.salesforce.behaviour.pageSize = 10;
  const { ids, cursor } = await pullAll();
  expect(ids).toEqual(made.map(({ id }) => id));
  expect(asked('/query/01g')).toHaveLength(2);
  // Another process has the cursor of the first page, and nothing else.
  const first = await contactsOf().pull(null, FIELDS);
  const next = first.ok ? first.value.cursor : '';
  expect((await pullAll(contactsOf(), next)).ids).toEqual(ids.slice(10));
  // The vendor has dropped its pages in the meantime.
  const contacts = contactsOf();
  const page = await contacts.pull(null, FIELDS);
  sandbox.salesforce.locators.clear();
  expect((await pullAll(contacts, page.ok ? page.value.cursor : '')).ids).toEqual(ids.slice(10));
  // The session ends between two pages: the next one may not read on, and its query begins behind the last record.
  const another = contactsOf();
  const begun = await another.pull(null, FIELDS);
  sandbox.salesforce.endSessions();
  expect((await pullAll(another, begun.ok ? begun.value.cursor : '')).ids).toEqual(ids.slice(10));
  expect(cursor).toContain('newest');
});

test('hands over no more than 100 at once of a larger page', async () => {
  fill(150);
  const contacts = contactsOf();
  const sizes: number[] = [];
  for (let cursor: string | null = null, isLast = false; !isLast;) {
    const reply = await contacts.pull(cursor, FIELDS);
    if (!reply.ok) throw new Error(reply.problem);
    sizes.push(reply.value.records.length);
    ({ cursor, isLast } = reply.value);
  }
  expect(sizes).toEqual([100, 50, 0]);
  expect(asked('/query').filter(({ path }) => path.endsWith('/query'))).toHaveLength(2);
});

test('the next run reads changes, deletions and leads that became contacts', async () => {
  const { cursor } = await pullAll();
  const [one, two] = sandbox.salesforce.list('Contact');
  const [lead] = sandbox.salesforce.list('Lead');
  sandbox.salesforce.behaviour.clockAheadMs = 600_000;
  sandbox.salesforce.update(one!, { Title: 'Head' });
  sandbox.salesforce.remove(two!);
  const contact = sandbox.salesforce.convert(lead!);
  const { ids } = await pullAll(contactsOf(), cursor);
  expect(ids).toEqual(expect.arrayContaining([one!.id, `-${two!.id}`, contact.id, `-${lead!.id}`]));
});

test('a session that ends in the middle is begun again, once for all calls', async () => {
  const contacts = contactsOf();
  await pullAll(contacts);
  sandbox.salesforce.endSessions();
  const before = asked('oauth2/token').length;
  const [id] = sandbox.salesforce.list('Contact').map((one) => one.id);
  const replies = await Promise.all([1, 2, 3].map(() => contacts.fetch([id!], FIELDS)));
  expect(replies.every(({ ok }) => ok)).toBe(true);
  expect(asked('oauth2/token').length - before).toBe(1);
});

test('stops before the calls of the day are used up, and waits at the limits of the vendor', async () => {
  const contacts = contactsOf();
  await contacts.listFields();
  Object.assign(sandbox.salesforce.behaviour, { rejectNext: 1, retryAfterSeconds: 3 });
  expect(await contacts.pull(null, FIELDS)).toMatchObject({ problem: 'service_busy', retryAfterMs: 3_000 });
  sandbox.salesforce.behaviour.dailyUsed = 90_000;
  await contacts.pull(null, FIELDS);
  const before = sandbox.salesforce.calls.total;
  expect(await contacts.pull(null, FIELDS)).toMatchObject({
    ...{ problem: 'service_busy', retryAfterMs: 900_000, detail: 'api-usage=90001/100000' },
  });
  expect(sandbox.salesforce.calls.total).toBe(before);
  sandbox.salesforce.behaviour.dailyUsed = 100_000;
  expect(await open().check()).toMatchObject({ problem: 'service_busy' });
});

test('a mapped field that is gone is named, and what only one kind of record lacks stays as it is', async () => {
  const reply = await contactsOf().pull(null, [...FIELDS, 'Gone__c']);
  expect(reply).toMatchObject({ ok: false, problem: 'permission_missing', detail: 'Gone__c' });
  const [lead] = sandbox.salesforce.list('Lead');
  const read = await contactsOf().fetch([lead!.id], ['name', 'MailingCity']);
  expect(read.ok && read.value[0]?.values).toEqual({ name: 'Diego Ramos' });
});

const someone = (values: Record<string, string | null>, externalId: string | null = null) => ({
  ...{ externalId, phone: '+34612000777', values: { phone: '+34612000777', ...values } },
});

test.each([true, false])('creates nobody twice, with an external ID or without (%s)', async (hasIt) => {
  sandbox.salesforce.behaviour.hasMessagingFields = hasIt;
  sandbox.salesforce.clearRecords();
  const contacts = contactsOf();
  const first = await contacts.push([someone({ name: 'Ana' })]);
  const again = await contacts.push([someone({ name: 'Ana Diaz' })]);
  expect(first).toEqual(again);
  expect(sandbox.salesforce.list('Contact').map(({ values }) => values['LastName'])).toEqual(['Diaz']);
  const found = await contacts.find({ phones: ['+34612000777'], emails: [] }, FIELDS);
  expect(found.ok && found.value.map(({ values }) => values['name'])).toEqual(['Ana Diaz']);
});

test('an opt-out without a place for it is an error of that person; the others go on', async () => {
  sandbox.salesforce.behaviour.hasMessagingFields = false;
  const [known] = sandbox.salesforce.list('Contact');
  const out = { HasOptedOutOfMessages__c: 'true' };
  const reply = await contactsOf().push([
    { externalId: known!.id, phone: null, values: { name: 'New Name', ...out } },
    { externalId: known!.id, phone: null, values: { Email: 'no address' } },
    someone({ name: 'Nobody Else', ...out }),
    { ...someone({ name: 'Ben Diaz' }), phone: '+34612000778' },
  ]);
  const outcomes = reply.ok ? reply.value : [];
  expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false, true]);
  expect(outcomes[0]).toMatchObject({ detail: "No such column 'HasOptedOutOfMessages__c' on Contact." });
  expect(outcomes[1]).toMatchObject({ detail: 'Email: invalid email address: no address (Email)' });
  // What could be written was.
  expect(known!.values).toMatchObject({ FirstName: 'New', LastName: 'Name' });
  expect(sandbox.salesforce.list('Contact').some(({ values }) => values['LastName'] === 'Else')).toBe(false);
});

test('lists the fields of contacts and leads, those that are read only as such', async () => {
  const reply = await contactsOf().listFields();
  const fields = new Map((reply.ok ? reply.value : []).map((one) => [one.name, one]));
  expect(fields.get('Company')).toMatchObject({ label: 'Company', isReadOnly: false });
  expect(fields.get('CreatedDate')).toMatchObject({ isReadOnly: true });
  expect(fields.has('LastName')).toBe(false);
});

test('a report is a field: who comes into it or leaves it is read again, and no one else', async () => {
  const { reports } = sandbox.salesforce;
  const [report] = reports;
  const field = `report.${report!.id}`;
  const listed = await contactsOf().listFields();
  const found = listed.ok ? listed.value.find(({ name }) => name === field) : undefined;
  expect(found).toEqual({ name: field, label: 'Report: Buyers', isReadOnly: true });
  const fields = [...FIELDS, field];
  const { cursor } = await pullAll(contactsOf(), null, fields);
  const members = [...report!.members];
  const others = sandbox.salesforce.list('Contact').filter(({ id }) => !members.includes(id));
  // Later than the overlap in which changes are read twice.
  sandbox.salesforce.behaviour.clockAheadMs = 6_000_000;
  sandbox.salesforce.update(others[0]!, { Title: 'Head' });
  const { cursor: next } = await pullAll(contactsOf(), cursor, fields);
  report!.members = [members[0]!, others[1]!.id];
  const contacts = contactsOf();
  const { ids, cursor: last } = await pullAll(contacts, next, fields);
  const ofContacts = ids.filter((id) => id.startsWith('003'));
  expect(new Set(ofContacts)).toEqual(new Set([others[0]!.id, others[1]!.id, ...members.slice(1)]));
  const read = await contacts.fetch([members[0]!, members[1]!, others[1]!.id], fields);
  expect(read.ok && read.value.map(({ values }) => values[field])).toEqual(['true', null, 'true']);
  expect((await pullAll(contactsOf(), last, fields)).ids).not.toContain(others[1]!.id);
  reports.length = 0;
  expect(await contactsOf().pull(last, fields)).toMatchObject({ ok: false, problem: 'permission_missing' });
});

function event(type: string, more: Partial<ConnectorEvent> = {}): ConnectorEvent {
  return {
    ...{ id: '0193a6f0-0000-7000-8000-0000000000e1', type, occurredAt: new Date().toISOString(), data: {} },
    ...{ contact: null, conversation: null, messages: [], campaign: null, language: 'en' },
    ...{ target: null, hookUrl: null, mayBeThere: false, ...more },
  };
}

test('what happens to a person is a task of their record, once', async () => {
  const [known] = sandbox.salesforce.list('Contact');
  const person = { id: 'c', name: 'Helena', phone: null, email: null, tags: [] };
  const contact = { ...person, externalId: known!.id };
  const messages = [{ id: 'm', text: 'Is it open?', at: new Date().toISOString() }];
  const events = open().events!; // it has some
  const wrote = event('messages.arrived', { contact, messages });
  expect(await events.send(wrote)).toEqual({ outcome: 'sent' });
  // The answer was lost: it is looked for, and not made twice.
  expect(await open().events!.send({ ...wrote, mayBeThere: true })).toEqual({ outcome: 'sent' });
  expect(
    await events.send(event('consents.said', { contact, data: { kind: 'opt_out' }, language: 'de' })),
  ).toEqual({
    outcome: 'sent',
  });
  const tasks = sandbox.salesforce.list('Task').map(({ values }) => values);
  expect(tasks).toMatchObject([
    { WhoId: known!.id, Subject: 'Wrote a message', Status: 'Completed' },
    { WhoId: known!.id, Subject: 'Hat Nachrichten abbestellt' },
  ]);
  expect(tasks[0]!['Description']).toContain('Is it open?');
  const campaign = { id: 'k', name: 'Spring {outcome}', link: 'https://app.test/c', channelKind: '' };
  const read = { outcome: 'read', clicked: false, replied: true };
  expect(await events.send(event('campaign.outcome', { contact, campaign, data: read }))).toEqual({
    outcome: 'sent',
  });
  expect(sandbox.salesforce.list('Task').at(-1)!.values).toMatchObject({
    ...{ WhoId: known!.id, Subject: 'Campaign “Spring {outcome}”: read, replied' },
  });
  // Who has no record there, and what is no task.
  expect(await events.send(event('messages.arrived', { contact: person }))).toEqual({ outcome: 'skipped' });
  expect(await events.send(event('campaign.started', { contact }))).toEqual({ outcome: 'skipped' });
  expect(await events.send(event('webhook.test'))).toEqual({ outcome: 'sent' });
});

test('a limit is waited for, and a break may have left a task', async () => {
  const contact = {
    id: 'c',
    name: 'x',
    phone: null,
    email: null,
    tags: [],
    externalId: '003RO0000000001AAA',
  };
  const { events } = open();
  await events!.send(event('webhook.test'));
  Object.assign(sandbox.salesforce.behaviour, { rejectNext: 1, retryAfterSeconds: 5 });
  const busy = { outcome: 'failed', problem: 'service_busy', retryAfterMs: 5_000, isUnknown: false };
  expect(await events!.send(event('message.sent', { contact }))).toMatchObject(busy);
  sandbox.salesforce.behaviour.failNext = 1;
  const away = { outcome: 'failed', problem: 'service_away', isUnknown: true };
  expect(await events!.send(event('message.sent', { contact }))).toMatchObject(away);
});
