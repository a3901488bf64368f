import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAgent } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

type Call = { path: string; request: string };
let phones = 447_700_903_000;

/** Somebody writes from the phone of the sandbox. */
async function write(from = String((phones += 1))) {
  const { messageId } = await host.sandbox<{ messageId: string }>('/_sandbox/whatsapp/inbound', {
    ...{ from: `+${from}`, name: `Person ${from}`, text: 'Hello' },
  });
  const row = await eventually(
    async () =>
      (
        await host.database.query<{ id: string; conversation: string; contact: string }>(
          `SELECT m.id, v.id AS conversation, m.contact_id AS contact FROM messages m
             JOIN conversations v ON v.contact_id = m.contact_id AND v.channel_id = m.channel_id WHERE m.provider_message_id = $1`,
          [messageId],
        )
      ).rows[0],
    (found) => found !== undefined,
  );
  return { ...row!, from, platformId: messageId };
}

/** What the platform was asked to show of this message. */
async function shownOf(platformId: string): Promise<string[]> {
  const { calls } = await host.sandbox<{ calls: Call[] }>('/_sandbox/whatsapp/calls?limit=500');
  return calls
    .map(({ request }) => request)
    .filter((text) => text.includes(platformId) && text.includes('"status":"read"'))
    .map((text) => (text.includes('typing_indicator') ? 'typing' : 'read'));
}

const read = (one: { id: string; conversation: string }) =>
  host.call('POST', `/api/conversations/${one.conversation}/read`, { messageIds: [one.id] });
const type = (one: { conversation: string }) =>
  host.call('POST', `/api/conversations/${one.conversation}/viewers`, {
    tab: 'a tab of the test',
    state: 'typing',
  });
async function decide(change: object) {
  const { body } = await host.call<{ version: number }>('GET', '/api/settings/messaging');
  expect(
    (await host.call('PUT', '/api/settings/messaging', { version: body.version, ...change })).status,
  ).toBe(200);
}

it('people see that they were read, and that an answer is written, once for many signs', async () => {
  const one = await write();
  expect((await read(one)).status).toBe(200);
  await eventually(
    () => shownOf(one.platformId),
    (shown) => shown.includes('read'),
    10_000,
  );
  for (let again = 0; again < 5; again += 1) expect((await type(one)).status).toBe(200);
  const shown = await eventually(
    () => shownOf(one.platformId),
    (seen) => seen.includes('typing'),
    10_000,
  );
  expect(shown.filter((sign) => sign === 'typing').length).toBeLessThanOrEqual(2);
  expect((await read(one)).status).toBe(200);
  expect((await shownOf(one.platformId)).filter((sign) => sign === 'read')).toHaveLength(1);
});

it('people see nothing who are blocked, or whose business decided so', async () => {
  const [blocked, quiet, last] = [await write(), await write(), await write()];
  await host.database.query(`UPDATE contacts SET status = 'blocked' WHERE id = $1`, [blocked.contact]);
  await read(blocked);
  await decide({ sendReadReceipts: false });
  await read(quiet);
  await type(quiet);
  await decide({ sendReadReceipts: true });
  // What is asked for later is shown; the others would have been by then.
  await read(last);
  await eventually(
    () => shownOf(last.platformId),
    (shown) => shown.includes('read'),
    10_000,
  );
  expect([await shownOf(blocked.platformId), await shownOf(quiet.platformId)]).toEqual([[], []]);
});

it('an agent reads on when the platform is away', async () => {
  const one = await write();
  await host.sandbox('/_sandbox/whatsapp/errors', { code: 131016, times: 1 });
  expect((await read(one)).status).toBe(200);
});

it('somebody who hides their number is answered by their id', async () => {
  const one = await write('447700900705');
  const { rows } = await host.database.query(
    'SELECT phone, platform_user_id AS id FROM contacts WHERE id = $1',
    [one.contact],
  );
  expect(rows).toEqual([{ phone: null, id: expect.stringMatching(/^GB\./) }]);
  const sent = await host.call<{ id: string }>('POST', `/api/conversations/${one.conversation}/messages`, {
    message: { text: 'Good morning' },
  });
  expect(sent.status).toBe(200);
  const ended = await eventually(
    async () =>
      (
        await host.database.query<{ state: string; delivered_at: Date | null; error_code: string | null }>(
          'SELECT state, delivered_at, error_code FROM messages WHERE id = $1',
          [sent.body.id],
        )
      ).rows[0]!,
    ({ state, delivered_at: at }) => at !== null || !['queued', 'sending', 'accepted'].includes(state),
  );
  expect(ended).toMatchObject({ state: 'accepted', error_code: null });
});

it('people see the same through an RCS agent', async () => {
  await connectAgent(host, { readRate: 0 });
  const phone = '+447700903900';
  await host.sandbox('/_sandbox/rcs/inbound', { from: phone, text: 'Hello' });
  const one = await eventually(
    async () =>
      (
        await host.database.query<{ id: string; platformId: string; conversation: string }>(
          `SELECT m.id, m.provider_message_id AS "platformId", v.id AS conversation FROM messages m JOIN contacts k ON k.id = m.contact_id
             JOIN conversations v ON v.contact_id = m.contact_id AND v.channel_id = m.channel_id WHERE k.phone = $1`,
          [phone],
        )
      ).rows[0]!,
    (found) => found !== undefined,
  );
  expect((await read(one)).status).toBe(200);
  expect((await type(one)).status).toBe(200);
  type Shown = { phone: string; eventType: string; messageId: string | null };
  const { events } = await eventually(
    () => host.sandbox<{ events: Shown[] }>('/_sandbox/rcs/events'),
    (seen) => seen.events.length === 2,
  );
  expect(events.toSorted((a, b) => (a.eventType < b.eventType ? -1 : 1))).toEqual([
    { phone, eventType: 'IS_TYPING', messageId: null },
    { phone, eventType: 'READ', messageId: one.platformId },
  ]);
  const { phones: shown } = await host.sandbox<{ phones: { entries: object[] }[] }>('/_sandbox/rcs/phones');
  expect(shown.map(({ entries }) => entries)).toMatchObject([[{ direction: 'out', state: 'read' }]]);
});
