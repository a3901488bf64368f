import { expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { isThorough } from '@app/database/testing/thorough';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const OTHER = '+14155552672';

const { admin, api, arrive, add, query } = await openArrivals();
const T = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const at = (second: number) => ({ occurredAt: T + second * 1000 });
const out = { direction: 'out', origin: 'echo' } as const;
const quoted = (id: string) => ({
  context: { quotedMessageId: id, forwarded: false, frequentlyForwarded: false, referredProduct: null },
});

type Kept = {
  id: string;
  status: string;
  unread: number;
  last: string | null;
  waiting: Date | null;
  window: Date | null;
  archived: boolean;
};
const read = async (phone = PHONE) =>
  (
    await query<Kept>(
      `SELECT c.id, c.status, c.unread, m.text AS last, c.waiting_since AS waiting, c.window_ends_at AS window, c.is_archived AS archived
         FROM conversations c JOIN contacts k ON k.id = c.contact_id LEFT JOIN messages m ON m.id = c.last_message_id WHERE k.phone = $1`,
      [phone],
    )
  )[0];

const KEPT = `SELECT contact_id, channel_id, unread, last_message_id, last_message_at, last_inbound_at, last_outbound_at,
  waiting_since, window_ends_at FROM conversations ORDER BY 1, 2`;

/** What is kept is what the messages say. */
async function expectRecounted() {
  const kept = await query(KEPT);
  const ids = await query<{ id: string }>('SELECT id FROM contacts');
  await query('SELECT recount_conversations($1, $2)', [api.workspaceId, ids.map(({ id }) => id)]);
  expect(kept).toEqual(await query(KEPT));
}

test('a message of somebody begins a conversation that is open, unread and waiting, with its window', async () => {
  await arrive(said({ phone: PHONE }, 'Hello', at(0)), said({ phone: PHONE }, 'Anybody?', at(5)));
  expect(await read()).toMatchObject({
    ...{ status: 'open', unread: 2, last: 'Anybody?', archived: false },
    ...{ waiting: new Date(T), window: new Date(T + 5_000 + 86_400_000) },
  });
  await expectRecounted();
});

test('copies count once, and what comes late moves nothing back', async () => {
  const first = said({ phone: PHONE }, 'late', at(1));
  const second = said({ phone: PHONE }, 'second', at(3));
  await arrive(second);
  await arrive(second, said({ phone: PHONE }, 'our answer', { ...at(2), ...out }));
  expect(await read()).toMatchObject({ unread: 1, last: 'second', waiting: new Date(T + 3_000) });
  await arrive(first, first);
  // It was seen by nobody, so it is unread, but no answer is missing for it.
  expect(await read()).toMatchObject({ unread: 2, last: 'second', waiting: new Date(T + 3_000) });
  expect(await read()).toMatchObject({ window: new Date(T + 3_000 + 86_400_000) });
  await expectRecounted();
});

test('an answer that comes late between two messages leaves the second one waiting', async () => {
  await arrive(said({ phone: PHONE }, 'first', at(1)), said({ phone: PHONE }, 'second', at(3)));
  expect(await read()).toMatchObject({ waiting: new Date(T + 1_000) });
  await arrive(said({ phone: PHONE }, 'answer', { ...at(2), ...out }));
  expect(await read()).toMatchObject({ waiting: new Date(T + 3_000), last: 'second' });
  await arrive(said({ phone: PHONE }, 'answer', { ...at(4), ...out }));
  expect(await read()).toMatchObject({ waiting: null, last: 'answer', unread: 2 });
  await expectRecounted();
});

test('two of one second stand in the order in which they came', async () => {
  await arrive(...['a', 'b', 'c', 'd', 'e'].map((text) => said({ phone: PHONE }, text, at(1))));
  expect(await read()).toMatchObject({ last: 'e', unread: 5 });
});

test('reactions, edits, what was said in a group and what is older than the connection are nothing to read', async () => {
  const hello = said({ phone: PHONE }, 'Hello', { ...at(1), origin: 'history' });
  await arrive(hello);
  expect(await read()).toMatchObject({ status: 'resolved', unread: 0, last: 'Hello' });
  await arrive(
    said({ phone: PHONE }, { type: 'reaction', targetMessageId: hello.messageId, emoji: '👍' }, at(2)),
    said({ phone: PHONE }, 'in a group', { ...at(3), groupId: 'G1' }),
    said(
      { phone: PHONE },
      { type: 'edit', targetMessageId: hello.messageId, content: { type: 'text', body: 'Hello!' } },
      at(4),
    ),
  );
  expect(await read()).toMatchObject({ status: 'resolved', unread: 0, last: 'Hello!' });
  await expectRecounted();
  const id = (await read())!.id;
  const { items } = await (
    await admin.get(`/api/conversations/${id}/messages`)
  ).json<{ items: { text: string; reactions: unknown; isEdited: boolean }[] }>();
  expect(items).toMatchObject([
    { text: 'Hello!', isEdited: true, reactions: [{ emoji: '👍', direction: 'in' }] },
  ]);
});

test('a message brings back what was resolved, snoozed or archived, once for each time', async () => {
  await arrive(said({ phone: PHONE }, 'Hello', at(0)));
  const id = (await read())!.id;
  await query(
    `UPDATE conversations SET status = 'snoozed', snoozed_until = now(), is_archived = true WHERE id = $1`,
    [id],
  );
  const before = (await query(`SELECT FROM events WHERE type = 'conversations.opened'`)).length;
  await arrive(said({ phone: PHONE }, 'Again', at(1)));
  await arrive(said({ phone: PHONE }, 'And again', at(2)));
  expect(await read()).toMatchObject({ id, status: 'open', archived: false, unread: 3 });
  expect(await query(`SELECT FROM events WHERE type = 'conversations.opened'`)).toHaveLength(before + 1);
  expect(await query('SELECT snoozed_until FROM conversations')).toEqual([{ snoozed_until: null }]);
});

test('whoever is blocked writes into a conversation that nobody has to read', async () => {
  await add(PHONE);
  await query(`UPDATE contacts SET status = 'blocked'`);
  await arrive(said({ phone: PHONE }, 'Hello', at(0)));
  await query(`UPDATE conversations SET status = 'resolved'`);
  await arrive(said({ phone: PHONE }, 'Hello?', at(1)));
  expect(await read()).toMatchObject({ status: 'resolved', unread: 0, last: 'Hello?' });
  await expectRecounted();
});

test('what somebody answers is shown with it, also a message of a campaign', async () => {
  const hello = said({ phone: PHONE }, 'Hello', at(0));
  await arrive(hello, said({ phone: PHONE }, 'I mean this', { ...at(1), ...quoted(hello.messageId) }));
  const { id } = (await read())!;
  const { items } = await (
    await admin.get(`/api/conversations/${id}/messages`)
  ).json<{ items: { text: string; quoted: unknown }[] }>();
  expect(items).toMatchObject([{ text: 'I mean this', quoted: { text: 'Hello' } }, { quoted: null }]);
});

test('a deleted contact comes back with conversations and marks, and what waited to leave stays here', async () => {
  const { id: contactId } = await add(PHONE);
  await arrive(said({ phone: PHONE }, 'Hello', at(0)));
  const { id } = (await read())!;
  await admin.put(`/api/conversations/${id}/marks`, { isPinned: true });
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, occurred_at, send_no, purpose, state, author)
     SELECT $1, workspace_id, channel_id, contact_id, 'out', 'text', 'Hi', now(), 1, 'reply', 'queued', 'person' FROM conversations`,
    [newId()],
  );
  await admin.delete(`/api/contacts/${contactId}`);
  expect(await query('SELECT FROM conversations')).toEqual([]);
  expect((await admin.post(`/api/contacts/${contactId}/restore`)).status).toBe(200);
  expect(await read()).toMatchObject({ id, unread: 1 });
  expect(await query('SELECT state, error_code FROM messages WHERE send_no = 1')).toEqual([
    { state: 'cancelled', error_code: 'contact_deleted' },
  ]);
  const { isPinned } = await (await admin.get(`/api/conversations/${id}`)).json<{ isPinned: boolean }>();
  expect(isPinned).toBe(true);
});

test('of two merged contacts the conversations become one, and an undo parts them again', async () => {
  const [ann, bob] = [await add(PHONE), await add(OTHER)];
  await arrive(said({ phone: PHONE }, 'from one', at(0)), said({ phone: OTHER }, 'from the other', at(1)));
  const [first, second] = [(await read())!, (await read(OTHER))!];
  await query(`UPDATE conversations SET labels = ARRAY['vip', 'new'], status = 'waiting' WHERE id = $1`, [
    second.id,
  ]);
  await query(`UPDATE conversations SET labels = ARRAY['vip'], status = 'resolved' WHERE id = $1`, [
    first.id,
  ]);
  const versions = await query<{ id: string; version: number }>('SELECT id, version FROM contacts');
  const mergeId = newId();
  const merged = await admin.post('/api/contacts/merges', {
    ...{ mergeId, survivorId: ann.id },
    contacts: versions.map(({ id, version }) => ({ contactId: id, version })),
  });
  expect(merged.status).toBe(200);
  expect(await query('SELECT id, status, labels, unread FROM conversations')).toEqual([
    { id: first.id, status: 'waiting', labels: ['vip', 'new'], unread: 2 },
  ]);
  await expectRecounted();
  await arrive(said({ phone: OTHER }, 'after the merge', at(5)));
  expect(await read()).toMatchObject({ unread: 3, last: 'after the merge' });
  expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
  expect(await read()).toMatchObject({ id: first.id, unread: 1, last: 'from one' });
  expect(await read(OTHER)).toMatchObject({ id: second.id, unread: 2, last: 'after the merge' });
  expect(await query('SELECT labels FROM conversations WHERE contact_id = $1', [bob.id])).toEqual([
    { labels: ['vip', 'new'] },
  ]);
  await expectRecounted();
});

longTest('whatever the order, the copies and the merges: what is kept is what a recount gives', async () => {
  let seed = 20_261_122;
  const chance = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const phones = [PHONE, OTHER, '+14155552673'];
  for (let round = 0; round < (isThorough ? 12 : 4); round += 1) {
    const told = Array.from({ length: 30 }, (_, index) =>
      said({ phone: phones[Math.floor(chance() * phones.length)]! }, `${round}.${index}`, {
        ...at(Math.floor(chance() * 40)),
        ...(chance() < 0.3 && out),
        ...(chance() < 0.1 && { groupId: 'G1' }),
      }),
    );
    const late = [...told, ...told.filter(() => chance() < 0.4)].toSorted(() => chance() - 0.5);
    while (late.length > 0) await arrive(...late.splice(0, 1 + Math.floor(chance() * 7)));
    await expectRecounted();
    const [one] = await query<{ id: string }>('SELECT id FROM conversations ORDER BY random() LIMIT 1');
    const { items } = await (
      await admin.get(`/api/conversations/${one!.id}/messages?limit=3`)
    ).json<{ items: { id: string }[] }>();
    const ids = items.map(({ id }) => id);
    await admin.post(`/api/conversations/${one!.id}/read`, { messageIds: ids });
    await expectRecounted();
    if (round % 4 !== 3) continue;
    const contacts = await query<{ id: string; version: number }>(
      'SELECT id, version FROM contacts ORDER BY id LIMIT 2',
    );
    const mergeId = newId();
    await admin.post('/api/contacts/merges', {
      ...{ mergeId, survivorId: contacts[0]!.id },
      contacts: contacts.map(({ id, version }) => ({ contactId: id, version })),
    });
    await expectRecounted();
    await arrive(said({ phone: phones[round % 3]! }, 'between', at(round)));
    expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
    await expectRecounted();
  }
});
