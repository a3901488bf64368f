import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mailchimpConnector } from '../src/mailchimp/mailchimp-connector.ts';
import { openConnectorScene, type ConnectorScene } from './connector-scene.ts';

let scene: ConnectorScene;
beforeAll(async () => {
  scene = await openConnectorScene(mailchimpConnector);
});
afterAll(() => scene.close());
beforeEach(() => scene.sandbox.mailchimp.reset());

/** Everything from the beginning, or from a cursor, page by page. */
async function pullAll(cursor: string | null = null) {
  const contacts = scene.open().contacts!; // the kind has them
  const pages: string[][] = [];
  for (let at = cursor; pages.length < 50;) {
    const reply = await contacts.pull(at, []);
    if (!reply.ok) throw new Error(reply.problem);
    pages.push(reply.value.records.map(({ id }) => id));
    at = reply.value.cursor;
    if (reply.value.isLast) break;
  }
  return pages.flat();
}

/** As if all had been changed at these times. */
const changedAt = (timeOf: (place: number) => number) => {
  let place = 0;
  for (const member of scene.sandbox.mailchimp.members.values()) member.changedAt = timeOf(place++);
};

test.each([
  ['within one second, as an import leaves them', () => 1_790_000_000_000],
  ['seventy in each second', (place: number) => 1_790_000_000_000 + Math.floor(place / 70) * 1_000],
  ['one in each second', (place: number) => 1_790_000_000_000 + place * 1_000],
])('every member is read once: %s', async (_name, timeOf) => {
  scene.sandbox.mailchimp.addPeople(342);
  changedAt(timeOf);
  const read = await pullAll();
  expect(read).toHaveLength(350);
  expect(new Set(read).size).toBe(350);
});

test('a member who changes again within the second of the last page is read again', async () => {
  scene.sandbox.mailchimp.addPeople(192);
  changedAt((place) => 1_790_000_000_000 + Math.floor(place / 70) * 1_000);
  const contacts = scene.open().contacts!; // the kind has them
  const first = await contacts.pull(null, []);
  if (!first.ok) throw new Error(first.problem);
  const last = scene.sandbox.mailchimp.members.get(first.value.records.at(-1)!.id)!; // of this page
  const before = last.changedAt;
  last.mergeFields['FNAME'] = 'Changed';
  expect(last.changedAt).toBe(before);
  expect(await pullAll(first.value.cursor)).toContain(last.contactId);
});

test('a field that the audience requires of its forms holds up neither a new member nor an opt-out', async () => {
  scene.sandbox.mailchimp.behaviour.requiredField = 'BIRTHDAY';
  const contacts = scene.open().contacts!; // the kind has them
  const [member] = [...scene.sandbox.mailchimp.members.values()];
  const pushed = await contacts.push([
    { externalId: null, phone: null, values: { name: 'Ana Diaz', email: 'ana@shop.test' } },
    { externalId: member!.contactId, phone: null, values: { unsubscribed: 'true' } },
  ]);
  expect(pushed).toMatchObject({ ok: true, value: [{ ok: true }, { ok: true }] });
  expect(member!.status).toBe('unsubscribed');
});
