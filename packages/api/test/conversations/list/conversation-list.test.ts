import { searchedWords } from '@app/domain/conversations/list/searched-words';
import { describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

const { admin, api, arrive, query } = await openArrivals();
const T = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const at = (second: number) => ({ occurredAt: T + second * 1000 });
const phone = (n: number) => `+1415555${2000 + n}`;

type Conversation = {
  id: string;
  version: number;
  unread: number;
  isPinned: boolean;
  isArchived: boolean;
  status: string;
  labels: string[];
  contact: { name: string; tags: string[] };
  lastMessage: { line: { kind: string; text: string } };
};
type Page = { items: Conversation[]; nextCursor: string | null };
type Found = {
  conversations: Conversation[];
  messages: { id: string; conversationId: string; text: string }[];
  nextCursor: string | null;
};
type Done = {
  changed: { id: string; version: number; before: { status: string; labels: string[] } }[];
  left: { id: string; why: string }[];
};

const list = async (search = '', caller = admin) =>
  (await caller.get(`/api/conversations${search}`)).json<Page>();
const textsOf = ({ items }: Page) => items.map(({ lastMessage }) => lastMessage.line.text);
const people = async (count: number) => {
  await arrive(...Array.from({ length: count }, (_, n) => said({ phone: phone(n) }, `of ${n}`, at(n))));
  return (await list()).items.toReversed();
};
const search = async (text: string, more = '') => {
  const response = await admin.get(`/api/conversations/search?search=${encodeURIComponent(text)}${more}`);
  expect(response.status).toBe(200);
  return response.json<Found>();
};
const change = async (conversations: object[], what: object, caller = admin) =>
  caller.post('/api/conversations/change', { conversations, change: what });
const changed = async (conversations: object[], what: object) => {
  const response = await change(conversations, what);
  expect(response.status).toBe(200);
  return response.json<Done>();
};
const pin = (conversations: readonly { id: string }[], isPinned = true, caller = admin) =>
  caller.put('/api/conversations/pins', { conversationIds: conversations.map(({ id }) => id), isPinned });
const ids = (conversations: readonly { id: string }[]) => conversations.map(({ id }) => ({ id }));

describe('with pins first', () => {
  test('one cursor leads through pinned and others, each once', async () => {
    const all = await people(6);
    await pin([all[0]!, all[3]!, all[1]!]);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const found = await list(`?order=pinned&limit=2${cursor}`);
      expect(found.items.length).toBeLessThanOrEqual(2);
      seen.push(...textsOf(found));
      if (found.nextCursor === null) break;
      cursor = `&cursor=${found.nextCursor}`;
    }
    expect(seen).toEqual(['of 3', 'of 1', 'of 0', 'of 5', 'of 4', 'of 2']);
  });

  test('a filter is asked of both', async () => {
    const all = await people(3);
    await pin([all[0]!]);
    await changed(ids([all[0]!, all[2]!]), { isArchived: true });
    expect(textsOf(await list('?order=pinned'))).toEqual(['of 1']);
    expect(textsOf(await list('?order=pinned&archived=yes'))).toEqual(['of 0', 'of 2']);
  });

  test('a part of a name or number leaves those of its contacts, page by page', async () => {
    await arrive(
      ...[3, 1, 2].map((n) =>
        said({ phone: `+49151200400${n}`, name: `Ann Lee ${n}` }, `ann ${n}`, at(100 + n)),
      ),
    );
    const first = await list('?search=ann%20lee&limit=2');
    expect(textsOf(first)).toEqual(['ann 3', 'ann 2']);
    expect(textsOf(await list(`?search=ann%20lee&limit=2&cursor=${first.nextCursor}`))).toEqual(['ann 1']);
    expect(textsOf(await list('?search=491512004002'))).toEqual(['ann 2']);
    expect(textsOf(await list('?search=nobody'))).toEqual([]);
    expect((await list('?search=%20')).items).toEqual((await list()).items);
  });

  test('a pin is one’s own', async () => {
    const all = await people(2);
    await pin([all[0]!]);
    expect(textsOf(await list('?order=pinned', await api.as('manager')))).toEqual(['of 1', 'of 0']);
  });
});

describe('search', () => {
  test('finds words of messages without case, accents and signs, the last by its beginning, the newest first', async () => {
    await arrive(
      said({ phone: phone(1) }, 'Qual é o PREÇO, por favor?', at(1)),
      said({ phone: phone(2) }, 'o preço da entrega', at(2)),
      said({ phone: phone(1) }, 'Größe 42 – nicht übel', at(3)),
    );
    const texts = async (what: string) => (await search(what)).messages.map(({ text }) => text);
    expect(await texts('preco')).toEqual(['o preço da entrega', 'Qual é o PREÇO, por favor?']);
    expect(await texts('Preço  ENTR')).toEqual(['o preço da entrega']);
    expect(await texts('favor! pre')).toEqual(['Qual é o PREÇO, por favor?']);
    expect(await texts('pre favor')).toEqual([]); // only the last is a beginning
    expect(await texts('grosse ubel')).toEqual(['Größe 42 – nicht übel']);
    expect(await texts('42')).toEqual(['Größe 42 – nicht übel']);
    expect(await texts('?!')).toEqual([]);
    expect(await texts("'); :* & | <-> \\")).toEqual([]);
  });

  test('finds what is years old, and goes on where a page ended', async () => {
    const YEAR = 365 * 86_400_000;
    await arrive(
      ...[0, 1, 2, 3, 4].map((years) =>
        said({ phone: phone(years) }, `parcel ${years}`, { occurredAt: T - years * YEAR }),
      ),
    );
    const first = await search('parcel', '&limit=2');
    expect(first.messages.map(({ text }) => text)).toEqual(['parcel 0', 'parcel 1']);
    const second = await search('parcel', `&limit=2&cursor=${first.nextCursor}`);
    expect(second.messages.map(({ text }) => text)).toEqual(['parcel 2', 'parcel 3']);
    const third = await search('parcel', `&limit=2&cursor=${second.nextCursor}`);
    expect(third).toMatchObject({ messages: [{ text: 'parcel 4' }], nextCursor: null });
  });

  test('finds people by name and number', async () => {
    const [ann] = await people(2);
    expect((await search(phone(0).slice(-4))).conversations).toMatchObject([{ id: ann!.id }]);
    await query(`UPDATE contacts SET name = 'Zoë Kaplan' WHERE phone = $1`, [phone(0)]);
    expect((await search('zoë')).conversations).toMatchObject([{ id: ann!.id }]);
    expect((await search('Ka')).conversations).toMatchObject([{ id: ann!.id }]);
    expect((await search('nobody')).conversations).toEqual([]);
  });

  test('finds nothing of a message that was taken back, and nothing of another workspace', async () => {
    await arrive(said({ phone: phone(1) }, 'secret word', at(1)));
    await query(`UPDATE messages SET revoked_at = now(), text = NULL`);
    expect((await search('secret')).messages).toEqual([]);
  });

  test('cuts words as what is typed is cut', async () => {
    for (const text of [
      'Plain words, 42-b/c_d.e',
      'Ça va? ÄÖÜ ẞ Straße',
      'İSTANBUL ıI \u212aelvin Ελλάς ΟΔΟΣ',
      `${'x'.repeat(100)} y ${'ö'.repeat(39)}éa`,
      '👍🏽 ok ﬁne ½ ² 東京 タワー',
      'a\tb\nc\u00a0d\u007fe  ',
      ' ?! ',
      '',
    ]) {
      const [row] = await query<{ words: string[] }>(
        `SELECT array(SELECT substr(w, strpos(w, '.') + 1) FROM unnest(tsvector_to_array(message_words($1, now(), $2))) AS w) AS words`,
        [api.workspaceId, text],
      );
      expect(row?.words.toSorted(), text).toEqual(searchedWords(text).toSorted());
    }
  });

  test('asks for two letters', async () => {
    expect((await admin.get('/api/conversations/search?search=a')).status).toBe(422);
  });

  longTest('of thousands reads the index of words beneath the guard of the workspace', async () => {
    await people(1);
    await query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
       SELECT gen_random_uuid(), m.workspace_id, m.channel_id, m.contact_id, 'in', 'w' || n, 'text', 'filler number ' || n, '{}', now() - n * interval '1 hour'
         FROM messages m, generate_series(1, 8000) n`,
    );
    await query('ANALYZE messages');
    expect((await search('number 7999')).messages).toMatchObject([{ text: 'filler number 7999' }]);
    const plan = await query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT FROM messages m WHERE m.workspace_id = $1
         AND message_words(m.workspace_id, m.occurred_at, m.text) @@ $2::tsquery
         AND m.text IS NOT NULL AND m.target_id IS NULL AND m.group_id IS NULL AND m.type <> 'reaction'`,
      [api.workspaceId, `'${api.workspaceId.slice(-5)}2900.number'`],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('messages_words');
  });
});

test('counts what the list shows as unread, and of it what is mine or nobody’s and not muted', async () => {
  const all = await people(4);
  const other = await api.userId('agent@acme.test');
  await changed(ids([all[0]!]), { assigneeId: other });
  await changed(ids([all[1]!]), { isRead: true });
  await admin.put(`/api/conversations/${all[2]!.id}/marks`, { isMuted: true });
  expect(await (await admin.get('/api/conversations/counts')).json()).toEqual({ mine: 1, unread: 3 });
  expect((await list('?unread=yes')).items).toHaveLength(3);
});

describe('one change of many', () => {
  test('knows a conversation in whatever letters its id is written', async () => {
    const [one] = await people(1);
    const id = one!.id.toUpperCase();
    const done = await changed([{ id, version: 7 }], { status: 'resolved' });
    expect(done).toEqual({ changed: [], left: [{ id: one!.id, why: 'changed_meanwhile' }] });
  });

  test('is made where it can be, and the others are told with the reason', async () => {
    const all = await people(3);
    await changed(ids([all[0]!]), { status: 'resolved' });
    const gone = crypto.randomUUID();
    const done = await changed(
      [{ id: all[0]!.id }, { id: all[1]!.id, version: 7 }, { id: all[2]!.id, version: 1 }, { id: gone }],
      { status: 'resolved' },
    );
    expect(done.changed).toMatchObject([{ id: all[2]!.id, version: 2, before: { status: 'open' } }]);
    expect(done.left).toEqual(
      expect.arrayContaining([
        { id: all[0]!.id, why: 'as_it_was' },
        { id: all[1]!.id, why: 'changed_meanwhile' },
        { id: gone, why: 'not_found' },
      ]),
    );
    expect(textsOf(await list('?status=resolved'))).toEqual(['of 2', 'of 0']);
  });

  test('adds and takes labels, each conversation with its own', async () => {
    const [one, two] = await people(2);
    await changed(ids([one!]), { addLabels: ['vip', 'late'] });
    const done = await changed(ids([one!, two!]), { addLabels: ['VIP', 'sale'], removeLabels: ['late'] });
    expect(done.changed).toHaveLength(2);
    expect((await list()).items.map(({ labels }) => labels)).toEqual([
      ['vip', 'sale'], // as the workspace writes it
      ['vip', 'sale'],
    ]);
  });

  test('reads what others changed meanwhile all the same, and counts it', async () => {
    const [one] = await people(1);
    const done = await changed([{ id: one!.id, version: 7 }], { isRead: true });
    expect(done).toMatchObject({ changed: [{ id: one!.id }], left: [] });
    expect(await query('SELECT unread FROM conversations')).toEqual([{ unread: 0 }]);
    expect(await query('SELECT is_unread FROM messages')).toEqual([{ is_unread: false }]);
  });

  test('marks as read and unread, as a recount would', async () => {
    const [one, two] = await people(2);
    await arrive(said({ phone: phone(0) }, 'again', at(9)));
    expect((await changed(ids([one!, two!]), { isRead: true })).changed).toHaveLength(2);
    expect((await list('?unread=yes')).items).toEqual([]);
    const again = await changed(ids([one!]), { isRead: true });
    expect(again.left).toEqual([{ id: one!.id, why: 'as_it_was' }]);
    expect((await changed(ids([one!]), { isRead: false })).changed).toHaveLength(1);
    const kept = await query('SELECT id, unread FROM conversations ORDER BY id');
    await query(`SELECT recount_conversations($1, (SELECT array_agg(id) FROM contacts))`, [api.workspaceId]);
    expect(await query('SELECT id, unread FROM conversations ORDER BY id')).toEqual(kept);
    expect((await list('?unread=yes')).items).toMatchObject([{ id: one!.id, unread: 1 }]);
  });

  test('assigns to people of the workspace alone, snoozes to times to come alone', async () => {
    const all = await people(2);
    const me = await api.userId('admin@acme.test');
    await changed(ids(all), { assigneeId: me });
    expect((await list('?assignee=me')).items).toHaveLength(2);
    const stranger = await change(ids(all), { assigneeId: crypto.randomUUID() });
    expect(await stranger.json()).toMatchObject({ error: { code: 'conversation_assignee_unknown' } });
    const past = await change(ids(all), { status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z' });
    expect(await past.json()).toMatchObject({ error: { code: 'conversation_snooze_invalid' } });
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect((await changed(ids(all), { status: 'snoozed', snoozedUntil: soon })).changed).toHaveLength(2);
  });

  test('is refused to who only reads, for more than 200, for two things at once', async () => {
    const all = await people(1);
    expect((await change(ids(all), { isArchived: true }, await api.as('viewer'))).status).toBe(403);
    const many = Array.from({ length: 201 }, () => ({ id: crypto.randomUUID() }));
    expect((await change(many, { isArchived: true })).status).toBe(422);
    expect((await change(ids(all), { isArchived: true, status: 'open' })).status).toBe(422);
    expect((await change([], { isArchived: true })).status).toBe(422);
  });
});
