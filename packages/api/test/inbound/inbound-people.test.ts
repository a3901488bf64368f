import { describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { InboundContent } from '@app/domain/messaging/inbound-event';
import { openArrivals } from '../arrivals.ts';
import { changedIdentity, chose, said } from '../arriving-events.ts';

const OLD = '+14155552671';
const NEW = '+14155552672';
const OLD_ID = 'US.111';
const NEW_ID = 'US.222';

const { admin, arrive, query } = await openArrivals();

const contacts = () =>
  query(
    'SELECT id, name, phone, platform_user_id AS "userId", last_message AS last FROM contacts ORDER BY created_at, id',
  );
const textsOf = async (id: string) =>
  (await query('SELECT text FROM messages WHERE contact_id = $1 ORDER BY occurred_at', [id])).map(
    ({ text }) => text,
  );
const T = Date.now() - 3_600_000;
const at = (second: number) => ({ occurredAt: T + second * 1000 });

describe('a stranger', () => {
  test('is written once, with the newest of what they say and the window of any', async () => {
    await query(`CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'written twice'; END $$`);
    await query(
      'CREATE TRIGGER refuse_change BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION refuse_change()',
    );
    await arrive(
      said({ phone: OLD }, 'second', at(2)),
      said({ phone: OLD }, 'first', at(1)),
      said({ phone: OLD }, 'in a group', { ...at(3), groupId: 'G1' }),
      said({ phone: OLD }, 'in the same second', { ...at(3), groupId: 'G1' }),
      said({ phone: NEW }, 'somebody else', { occurredAt: 0 }),
    );
    // What is older than the last message, or comes again, changes nothing.
    await arrive(said({ phone: OLD }, 'earlier', at(0)), said({ phone: OLD }, 'in the same second', at(-1)));
    await query('DROP FUNCTION refuse_change() CASCADE');
    const rows = await query(
      'SELECT last_message AS last, last_message_at AS at, window_expires_at AS until FROM contacts ORDER BY phone',
    );
    expect(rows).toMatchObject([
      {
        last: 'in the same second',
        at: new Date(at(3).occurredAt),
        until: new Date(at(2).occurredAt + 86_400_000),
      },
      { last: 'somebody else', until: null },
    ]);
  });

  test('to whom a copy of an old message comes shows nothing of it', async () => {
    const old = said({ phone: OLD, name: 'Ann' }, 'before', { occurredAt: 0 });
    await arrive(old);
    await arrive(changedIdentity({ phone: OLD }, { newPhone: NEW, ...at(10) }));
    await arrive(old, { ...old, occurredAt: at(1).occurredAt });
    expect(await contacts()).toMatchObject([
      { phone: NEW, last: 'before' },
      { phone: OLD, last: null },
    ]);
  });
});

describe('somebody with another number', () => {
  test('stays the contact with its history; the old number is somebody else later on', async () => {
    await arrive(said({ phone: OLD, name: 'Ann' }, 'before', at(1)));
    await arrive(changedIdentity({ phone: OLD }, { newPhone: NEW, ...at(10) }));
    await arrive(said({ phone: NEW }, 'after', at(20)), said({ phone: OLD }, 'late', at(5)));
    await arrive(said({ phone: OLD, name: 'Zoe' }, 'a stranger', at(30)));
    await arrive(said({ phone: OLD }, 'later still', at(6)));
    const [ann, zoe] = await contacts();
    expect([ann, zoe]).toMatchObject([
      { name: 'Ann', phone: NEW },
      { name: 'Zoe', phone: OLD },
    ]);
    expect(await textsOf(ann.id)).toEqual(['before', 'late', 'later still', 'after']);
    expect(await textsOf(zoe.id)).toEqual(['a stranger']);
    // The number that was given up is free for a new contact.
    await query('DELETE FROM contacts WHERE id = $1', [zoe.id]);
    expect((await admin.post('/api/contacts', { name: 'Yan', phone: OLD })).status).toBe(200);
  });

  test('becomes one with the contact that wrote from the new number before the news came', async () => {
    await arrive(said({ phone: OLD, userId: OLD_ID, name: 'Ann' }, 'before', at(1)));
    await arrive(said({ phone: NEW, userId: NEW_ID }, 'hello again', at(12)));
    await arrive(changedIdentity({ phone: OLD, userId: OLD_ID }, { newPhone: NEW, ...at(10) }));
    const all = await contacts();
    expect(all).toMatchObject([{ name: 'Ann', phone: NEW, last: 'hello again' }]);
    expect(await textsOf(all[0].id)).toEqual(['before', 'hello again']);
    // People can take it back like any merge.
    const rows = await query('SELECT id, user_name FROM contact_merges');
    expect(rows).toMatchObject([{ user_name: 'WhatsApp' }]);
    expect((await admin.post(`/api/contacts/merges/${rows[0].id}/undo`)).status).toBe(200);
  });

  test('takes the number over from somebody whom another platform id proves to be another person', async () => {
    await arrive(said({ phone: NEW, userId: 'US.900', name: 'Former owner' }, 'mine', at(0)));
    await query(`UPDATE contacts SET created_at = now() - interval '1 year'`);
    await arrive(said({ phone: OLD, userId: OLD_ID, name: 'Ann' }, 'before', at(1)));
    await arrive(changedIdentity({ phone: OLD, userId: OLD_ID }, { newPhone: NEW, ...at(10) }));
    expect(await contacts()).toMatchObject([
      { name: 'Former owner', phone: null, userId: 'US.900' },
      { name: 'Ann', phone: NEW, userId: OLD_ID },
    ]);
  });

  test('keeps the newest number when an older change arrives late', async () => {
    await arrive(said({ phone: OLD, name: 'Ann' }, 'before', at(1)));
    await arrive(changedIdentity({ phone: OLD }, { newPhone: NEW, ...at(20) }));
    await arrive(changedIdentity({ phone: OLD }, { newPhone: '+14155552699', ...at(10) }));
    expect(await contacts()).toMatchObject([{ name: 'Ann', phone: NEW }]);
  });

  test('keeps an opt-out that only the contact of the new number had', async () => {
    await arrive(said({ phone: OLD, name: 'Ann' }, 'before', at(1)), said({ phone: NEW }, 'STOP', at(2)));
    await arrive(changedIdentity({ phone: OLD }, { newPhone: NEW, ...at(10) }));
    await arrive(chose({ phone: NEW }, 'resume', T + 1500));
    const rows = await query('SELECT opted_out_at IS NOT NULL AS out FROM contacts');
    expect(rows).toEqual([{ out: true }]);
  });
});

describe('somebody with another platform id', () => {
  test.each([
    ['named by the event', { userId: OLD_ID }, null],
    ['named by the number', { phone: OLD }, null],
    ['named in the sentence alone', {}, `User changed from ${OLD_ID} to ${NEW_ID}`],
  ])('stays the contact when the old one is %s', async (_, from, text) => {
    await arrive(said({ phone: OLD, userId: OLD_ID, name: 'Ann' }, 'before', at(1)));
    await arrive(changedIdentity(from, { newUserId: NEW_ID, text, ...at(10) }));
    await arrive(said({ userId: NEW_ID }, 'after', at(20)), said({ userId: OLD_ID }, 'late', at(5)));
    const all = await contacts();
    expect(all).toMatchObject([{ name: 'Ann', phone: OLD, userId: NEW_ID }]);
    expect(await textsOf(all[0].id)).toEqual(['before', 'late', 'after']);
  });
});

describe('what is learned of people', () => {
  test('a contact known by its platform id gets its number when it appears', async () => {
    await arrive(said({ userId: OLD_ID, username: '@ann' }, 'hidden', at(1)));
    await arrive(said({ userId: OLD_ID, phone: OLD }, 'seen', at(2)));
    expect(await contacts()).toMatchObject([{ name: '@ann', phone: OLD, userId: OLD_ID }]);
  });

  test('and becomes one with the contact that has that number', async () => {
    expect((await admin.post('/api/contacts', { name: 'Ann Lee', phone: OLD })).status).toBe(200);
    await arrive(said({ userId: OLD_ID }, 'hidden', at(1)));
    await arrive(
      said({ userId: OLD_ID, phone: OLD }, 'one', at(2)),
      said({ userId: OLD_ID }, 'two', at(3)),
      said({ phone: OLD }, 'three', at(4)),
    );
    const all = await contacts();
    expect(all).toMatchObject([{ name: 'Ann Lee', phone: OLD, userId: OLD_ID, last: 'three' }]);
    expect(await textsOf(all[0].id)).toEqual(['hidden', 'one', 'two', 'three']);
  });

  longTest.each([
    ['the number', { phone: OLD }, OLD],
    ['the number with spaces', { phone: OLD }, '+1 (415) 555-2671'],
    ['the platform id', { userId: OLD_ID }, OLD_ID],
    ['the user name', { userId: OLD_ID, username: '@ann' }, '@ann'],
  ])('a profile name replaces %s that stands in as the name', async (_, person, standIn) => {
    await arrive(said(person, 'first', at(1)));
    await query('UPDATE contacts SET name = $1', [standIn]);
    await arrive(said({ ...person, name: ' Ann \n Lee\0 ' }, 'second', at(2)));
    expect(await contacts()).toMatchObject([{ name: 'Ann Lee' }]);
    await arrive(said({ ...person, name: 'Somebody' }, 'third', at(3)));
    expect(await contacts()).toMatchObject([{ name: 'Ann Lee' }]);
  });

  test('a name that staff gave stays, and a name without end is cut', async () => {
    await admin.post('/api/contacts', { name: 'Ann from the fair', phone: OLD });
    await arrive(said({ phone: OLD, name: 'Ann' }, 'first', at(1)));
    await arrive(said({ phone: NEW, name: '👋'.repeat(5_000) }, 'first', at(1)));
    expect((await contacts()).map(({ name }) => name)).toEqual(['Ann from the fair', '👋'.repeat(100)]);
  });
});

describe('edits and deletions', () => {
  const person = { phone: OLD, name: 'Ann' };
  const edit = (targetMessageId: string, body: string): InboundContent => ({
    ...{ type: 'edit', targetMessageId, content: { type: 'text', body } },
  });
  const timeline = async () => {
    const [{ id }] = await contacts();
    const { items } = await (
      await admin.get(`/api/contacts/${id}/timeline`)
    ).json<{ items: { kind: string; text: string }[] }>();
    return items.filter(({ kind }) => kind === 'message_in').map(({ text }) => text);
  };
  const message = () => said(person, 'frist', { messageId: 'wamid.edited', ...at(1) });

  test.each([
    ['in order', [0, 1, 2]],
    ['before the message', [2, 1, 0]],
    ['in one group', null],
  ])('change their message %s, and the original is kept', async (_, order) => {
    const events = [
      message(),
      said(person, edit('wamid.edited', 'first'), at(5)),
      said(person, edit('wamid.edited', 'second'), at(9)),
    ];
    if (order) for (const place of order) await arrive(events[place]!);
    else await arrive(...events);
    expect(await timeline()).toEqual(['second']);
    expect(await contacts()).toMatchObject([{ last: 'second' }]);
    const rows = await query(
      `SELECT text, original_text, edited_at FROM messages WHERE provider_message_id = 'wamid.edited'`,
    );
    expect(rows).toEqual([{ text: 'second', original_text: 'frist', edited_at: new Date(T + 9000) }]);
  });

  test('a deletion leaves no text on the screens and keeps the original', async () => {
    await arrive(message());
    await arrive(said(person, { type: 'revoke', targetMessageId: 'wamid.edited' }, at(7)));
    await arrive(said(person, edit('wamid.edited', 'first'), at(5)));
    expect(await timeline()).toEqual(['[deleted]']);
    expect(await contacts()).toMatchObject([{ last: '[deleted]' }]);
    const rows = await query(`SELECT text, original_text, payload FROM messages WHERE target_id IS NULL`);
    expect(rows).toMatchObject([{ text: null, original_text: 'frist', payload: { from: OLD.slice(1) } }]);
  });

  test('nobody changes what somebody else wrote, and no window opens for a change', async () => {
    await arrive(message());
    const before = await query('SELECT window_expires_at FROM contacts');
    await arrive(said({ phone: NEW, name: 'Eve' }, edit('wamid.edited', 'forged'), at(50)));
    await arrive(said(person, edit('wamid.edited', 'ours'), { direction: 'out', ...at(60) }));
    expect(await timeline()).toEqual(['frist']);
    const after = await query('SELECT window_expires_at FROM contacts WHERE phone = $1', [OLD]);
    expect(after).toEqual(before);
  });
});
