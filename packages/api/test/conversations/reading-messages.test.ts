import { describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { placesText } from '../../src/conversations/messages/timeline-places.ts';
import { galleryText } from '../../src/conversations/messages/find-in-conversation.ts';
import { openProgram } from '../api-keys/key-caller.ts';
import { openArrivals } from '../arrivals.ts';
import { changedIdentity, chose, said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, add, query } = await openArrivals();
const T = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const at = (second: number) => ({ occurredAt: T + second * 1000 });

type Item = { kind: string; id: string; text: string | null; body?: string; [field: string]: unknown };
type Page = { items: Item[]; older: string | null; newer: string | null; hasNewer: boolean };
type Found = { items: Item[]; nextCursor: string | null; until?: string | null };

const idOfFirst = async () =>
  (await (await admin.get('/api/conversations')).json<{ items: { id: string }[] }>()).items[0]!.id;
const read = async <Answer = Page>(
  path: string,
  caller: Pick<typeof admin, 'get'> = admin,
): Promise<Answer> => {
  const response = await caller.get(`/api/conversations/${path}`);
  expect(response.status).toBe(200);
  return response.json<Answer>();
};
const words = ({ items }: { items: Item[] }) => items.map(({ text, body }) => text ?? body);
const media = (kind: string, more: object = {}) =>
  ({
    ...{ type: 'media', kind, mediaId: crypto.randomUUID(), mimeType: null, sha256: null, caption: null },
    ...{ filename: null, voice: false, animated: false, url: null, ...more },
  }) as never;

async function sendCampaign(contactId: string, name: string, message: object): Promise<void> {
  const created = await admin.post('/api/campaigns', {
    name,
    message,
    audience: { contactIds: [contactId] },
  });
  expect(created.status).toBe(200);
  const { id } = await created.json<{ id: string }>();
  expect((await admin.post(`/api/campaigns/${id}/start`)).status).toBe(200);
}

describe('the chat', () => {
  test('goes on in either direction through messages, campaigns and notes of one moment, each once', async () => {
    const contact = await add(PHONE);
    await arrive(...[1, 2, 3].map((n) => said({ phone: PHONE }, `m${n}`, at(0))));
    for (const n of [1, 2, 3]) await sendCampaign(contact.id, `c${n}`, { customMessage: `c${n}` });
    await query(`UPDATE delivery_recipients SET state = 2, accepted_at = $1`, [new Date(T)]);
    const id = await idOfFirst();
    for (const n of [1, 2, 3])
      expect((await admin.post(`/api/conversations/${id}/notes`, { body: `n${n}` })).status).toBe(200);
    await query('UPDATE conversation_notes SET at = $1', [new Date(T)]);
    const all = words(await read(`${id}/messages`));
    expect(all.toSorted()).toEqual(['c1', 'c2', 'c3', 'm1', 'm2', 'm3', 'n1', 'n2', 'n3']);

    const seen: unknown[] = [];
    let page = await read(`${id}/messages?limit=2`);
    expect(page.hasNewer).toBe(false);
    for (;;) {
      seen.push(...words(page));
      if (page.older === null) break;
      page = await read(`${id}/messages?limit=2&cursor=${page.older}`);
      expect(page.hasNewer).toBe(true);
    }
    expect(seen).toEqual(all);
    const back: unknown[] = words(page).toReversed();
    for (; page.hasNewer; back.push(...words(page).toReversed()))
      page = await read(`${id}/messages?limit=2&direction=newer&cursor=${page.newer}`);
    expect(back).toEqual(all.slice(-back.length).toReversed());
    expect(back).toHaveLength(9);
  });

  longTest(
    'is read around a message, a note, a message of a campaign, and the first that nobody read',
    async () => {
      const contact = await add(PHONE);
      await arrive(...[1, 2, 3, 4, 5, 6].map((n) => said({ phone: PHONE }, `m${n}`, at(n))));
      await sendCampaign(contact.id, 'c', { customMessage: 'c' });
      await query(`UPDATE delivery_recipients SET state = 2, accepted_at = $1`, [new Date(T + 3_500)]);
      const id = await idOfFirst();
      await admin.post(`/api/conversations/${id}/notes`, { body: 'n' });
      await query('UPDATE conversation_notes SET at = $1', [new Date(T + 4_500)]);
      const all = await read(`${id}/messages`);
      expect(words(all)).toEqual(['m6', 'm5', 'n', 'm4', 'c', 'm3', 'm2', 'm1']);
      for (const [index, { id: name }] of all.items.entries()) {
        const around = await read(`${id}/messages?around=${name}&limit=3`);
        expect(words(around)).toEqual(words(all).slice(Math.max(0, index - 1), index + 2));
        expect(around.hasNewer).toBe(index > 1);
        expect(around.older === null).toBe(index >= all.items.length - 2);
      }
      await query(`UPDATE messages SET is_unread = text IN ('m4', 'm6')`);
      expect(words(await read(`${id}/messages?around=unread&limit=3`))).toEqual(['n', 'm4', 'c']);
      await query(`UPDATE messages SET is_unread = false`);
      for (const missing of ['unread', crypto.randomUUID(), 'r1.99999', 'r999.0']) {
        const answer = await admin.get(`/api/conversations/${id}/messages?around=${missing}`);
        expect([missing, answer.status]).toEqual([missing, 404]);
      }
      expect((await admin.get(`/api/conversations/${id}/messages?around=nonsense`)).status).toBe(422);
    },
  );

  test('is added to by the ids of what has arrived, in the order of the chat', async () => {
    await arrive(...[3, 1, 2].map((n) => said({ phone: PHONE }, `m${n}`, at(n))));
    const id = await idOfFirst();
    const [m3, m2, m1] = (await read(`${id}/messages`)).items.map((item) => item.id);
    const page = await read(`${id}/messages?ids=${m1},${m3},${crypto.randomUUID()},${m1}`);
    expect(page).toMatchObject({ older: null, newer: null, hasNewer: false });
    expect(words(page)).toEqual(['m3', 'm1']);
    await arrive(said({ phone: '+14155552672' }, 'elsewhere', at(9)));
    const other = (await read(`${await idOfFirst()}/messages`)).items[0]!.id;
    expect(words(await read(`${id}/messages?ids=${other},${m2}`))).toEqual(['m2']);
    for (const wrong of ['', 'nonsense', `${m1};${m2}`, Array.from({ length: 51 }, () => m1).join()])
      expect((await admin.get(`/api/conversations/${id}/messages?ids=${wrong}`)).status).toBe(422);
  });

  test('shows no note to a program', async () => {
    await arrive(said({ phone: PHONE }, 'm', at(1)));
    const id = await idOfFirst();
    await admin.post(`/api/conversations/${id}/notes`, { body: 'n' });
    expect(words(await read(`${id}/messages`))).toEqual(['n', 'm']);
    const { program } = await openProgram(api, admin);
    expect(words(await read(`${id}/messages`, program))).toEqual(['m']);
  });

  test('is read as far as it was shown, also where several were written in one second', async () => {
    await arrive(...[1, 2, 3, 4].map((n) => said({ phone: PHONE }, `m${n}`, at(0))));
    const id = await idOfFirst();
    const { items } = await read(`${id}/messages`);
    const answer = await admin.post(`/api/conversations/${id}/read`, { messageIds: [items[1]!.id] });
    expect(await answer.json()).toMatchObject({ unread: 1 });
    expect(await query('SELECT text FROM messages WHERE is_unread')).toEqual([{ text: items[0]!.text }]);
  });

  test('keeps what a message said before it was edited or taken back', async () => {
    await arrive(
      said({ phone: PHONE }, 'frist', { messageId: 'wamid.e', ...at(1) }),
      said({ phone: PHONE }, media('image', { caption: 'A' }), { messageId: 'wamid.f', ...at(2) }),
      said({ phone: PHONE }, 'secret', { messageId: 'wamid.r', ...at(3) }),
    );
    await arrive(
      said(
        { phone: PHONE },
        { type: 'edit', targetMessageId: 'wamid.e', content: { type: 'text', body: 'first' } },
        at(4),
      ),
      said(
        { phone: PHONE },
        { type: 'edit', targetMessageId: 'wamid.f', content: media('image', { caption: 'B' }) },
        at(5),
      ),
      said({ phone: PHONE }, { type: 'revoke', targetMessageId: 'wamid.r' }, at(6)),
    );
    const { items } = await read(`${await idOfFirst()}/messages`);
    expect(items).toMatchObject([
      {
        text: null,
        content: null,
        isRevoked: true,
        original: { text: 'secret' },
        changedAt: new Date(T + 6_000).toISOString(),
      },
      {
        text: 'B',
        content: { caption: 'B' },
        isEdited: true,
        original: { text: 'A', content: { caption: 'A' } },
      },
      { text: 'first', content: null, isEdited: true, original: { text: 'frist' } },
    ]);
  });

  test('says who reacted, to what an answer belongs, and what led to a message', async () => {
    const context = {
      quotedMessageId: 'wamid.q',
      forwarded: true,
      frequentlyForwarded: false,
      referredProduct: null,
    };
    const referral = {
      ...{ sourceType: 'ad', sourceId: '1', sourceUrl: 'https://ads.test/1', headline: 'Sale', body: 'Now' },
      clickId: null,
    };
    await arrive(
      said({ phone: PHONE }, media('document', { filename: 'a.pdf' }), { messageId: 'wamid.q', ...at(1) }),
      said({ phone: PHONE }, 'this one', { context, referral, ...at(2) }),
      said({ phone: PHONE }, { type: 'reaction', targetMessageId: 'wamid.q', emoji: '👍' }, at(3)),
      said({ phone: PHONE }, { type: 'reaction', targetMessageId: 'wamid.q', emoji: '❤️' }, at(4)),
      said(
        { phone: PHONE },
        { type: 'reaction', targetMessageId: 'wamid.q', emoji: '🙏' },
        { direction: 'out', ...at(5) },
      ),
    );
    const { items } = await read(`${await idOfFirst()}/messages`);
    expect(items).toMatchObject([
      {
        quoted: { type: 'media', content: { filename: 'a.pdf' }, direction: 'in', id: items[1]!.id },
        about: {
          isForwarded: true,
          product: null,
          ad: { headline: 'Sale', body: 'Now', url: 'https://ads.test/1' },
        },
      },
      {
        about: null,
        files: [
          {
            kind: 'document',
            name: 'a.pdf',
            state: expect.stringMatching(/waiting|fetching/),
            hasThumbnail: false,
          },
        ],
        reactions: [
          { emoji: '❤️', direction: 'in', at: new Date(T + 4_000).toISOString() },
          { emoji: '🙏', direction: 'out' },
        ],
      },
    ]);
  });

  longTest('shows a message of a campaign as this contact got it', async () => {
    const contact = await add(PHONE);
    await arrive(said({ phone: PHONE }, 'm', at(1)));
    await sendCampaign(contact.id, 'c', { customMessage: 'Hi {{name}}, we have a sale' });
    await query(
      `UPDATE delivery_recipients SET state = 3, failed_at = now(), error_code = '131026', error_detail = 'Undeliverable'`,
    );
    const { items } = await read(`${await idOfFirst()}/messages`);
    expect(items).toMatchObject([
      { text: 'Hi Ann, we have a sale', campaign: { name: 'c' }, state: 'failed', error: { code: '131026' } },
      { text: 'm' },
    ]);
  });

  test('tells that the contact changed their number', async () => {
    await add(PHONE);
    await arrive(said({ phone: PHONE }, 'old', at(1)));
    await arrive(changedIdentity({ phone: PHONE }, { newPhone: '+14155552999', ...at(2) }));
    await arrive(said({ phone: '+14155552999' }, 'new', at(3)));
    const { items } = await read(`${await idOfFirst()}/messages`);
    expect(items).toMatchObject([
      { kind: 'message', text: 'new' },
      { kind: 'number_changed', from: PHONE, at: new Date(T + 2_000).toISOString() },
      { kind: 'message', text: 'old' },
    ]);
  });
});

describe('consent', () => {
  test('stands where it was said, in whichever words and on whichever way', async () => {
    await add(PHONE);
    await arrive(said({ phone: PHONE }, 'Stop bitte', at(1)));
    await arrive(said({ phone: PHONE }, 'hello', at(2)));
    await arrive(chose({ phone: PHONE }, 'resume', T + 3_000));
    const { items } = await read(`${await idOfFirst()}/messages`);
    expect(items).toMatchObject([
      { kind: 'consent_changed', choice: 'opt_in', by: 'person', at: new Date(T + 3_000).toISOString() },
      { kind: 'message', text: 'hello' },
      ...[{ kind: 'message' }, { kind: 'consent_changed' }].map(() => ({
        at: new Date(T + 1_000).toISOString(),
      })),
    ]);
    expect(
      items
        .slice(2)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['consent_changed', 'message']);
  });

  test('stands once where a platform reports it as a word and as an event', async () => {
    await add(PHONE);
    await arrive(said({ phone: PHONE }, 'STOP', at(1)));
    await arrive(chose({ phone: PHONE }, 'stop', T + 2_000));
    await arrive(chose({ phone: PHONE }, 'resume', T + 3_000));
    await arrive(chose({ phone: PHONE }, 'stop', T + 4_000));
    const { items } = await read(`${await idOfFirst()}/messages`);
    expect(items.flatMap((one) => (one.kind === 'consent_changed' ? [one.choice] : []))).toEqual([
      ...['opt_out', 'opt_in', 'opt_out'],
    ]);
  });
});

describe('beside the chat', () => {
  test('files and links stand on shelves, newest first, page by page', async () => {
    await arrive(
      said({ phone: PHONE }, media('image', { caption: 'one' }), { messageId: 'wamid.gone', ...at(1) }),
      said({ phone: PHONE }, media('video', { caption: 'two' }), at(2)),
      said({ phone: PHONE }, media('document', { filename: 'three.pdf' }), at(3)),
      said({ phone: PHONE }, media('audio', { caption: 'four' }), at(4)),
      said({ phone: PHONE }, media('image', { caption: 'five' }), at(5)),
      said({ phone: PHONE }, 'see https://a.test', at(6)),
      said({ phone: PHONE }, 'nothing to see', at(7)),
    );
    const id = await idOfFirst();
    const first = await read<Found>(`${id}/gallery?limit=2`);
    expect(words(first)).toEqual(['five', 'two']);
    expect(first.items[0]).toMatchObject({ files: [{ kind: 'image' }] });
    expect(words(await read<Found>(`${id}/gallery?limit=2&cursor=${first.nextCursor}`))).toEqual(['one']);
    expect(words(await read<Found>(`${id}/gallery?shelf=documents`))).toEqual(['three.pdf']);
    expect(words(await read<Found>(`${id}/gallery?shelf=audio`))).toEqual(['four']);
    expect(words(await read<Found>(`${id}/gallery?shelf=links`))).toEqual(['see https://a.test']);
    await arrive(said({ phone: PHONE }, { type: 'revoke', targetMessageId: 'wamid.gone' }, at(8)));
    expect(words(await read<Found>(`${id}/gallery`))).toEqual(['five', 'two']);
    expect((await admin.get(`/api/conversations/${id}/gallery?shelf=all`)).status).toBe(422);
    expect((await admin.get(`/api/conversations/${crypto.randomUUID()}/gallery`)).status).toBe(404);
  });

  test('words are found as they were written, and signs are no patterns', async () => {
    await arrive(
      ...['Order 100%', 'order 1000', 'a_b', 'axb', 'RECHNUNG'].map((text, n) =>
        said({ phone: PHONE }, text, at(n)),
      ),
    );
    const id = await idOfFirst();
    const search = async (term: string, more = '') =>
      read<Found>(`${id}/search?search=${encodeURIComponent(term)}${more}`);
    expect(words(await search('ORDER'))).toEqual(['order 1000', 'Order 100%']);
    expect(words(await search('100%'))).toEqual(['Order 100%']);
    expect(words(await search('a_b'))).toEqual(['a_b']);
    expect(words(await search('rechnung'))).toEqual(['RECHNUNG']);
    const first = await search('order', '&limit=1');
    expect(words(first)).toEqual(['order 1000']);
    expect(await search('order', `&limit=1&cursor=${first.nextCursor}`)).toMatchObject({
      ...{ items: [{ text: 'Order 100%' }], nextCursor: null, until: null },
    });
    expect((await admin.get(`/api/conversations/${id}/search?search=%20`)).status).toBe(422);
  });

  longTest('of tens of thousands of messages only those are read that are shown', async () => {
    await arrive(said({ phone: PHONE }, 'the first', at(0)));
    const id = await idOfFirst();
    await query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, content, payload, occurred_at)
       SELECT gen_random_uuid(), m.workspace_id, m.channel_id, m.contact_id, 'in', 'wamid.many.' || n,
              CASE WHEN n % 50 = 0 THEN 'media' WHEN n % 7 = 0 THEN 'reaction' ELSE 'text' END,
              CASE WHEN n % 40 = 1 THEN 'https://a.test' ELSE 'text ' || n END,
              CASE WHEN n % 50 = 0 THEN '{"kind": "image"}'::jsonb END, '{}', m.occurred_at + n / 30 * interval '1 second'
         FROM messages m, generate_series(1, 40000) n`,
    );
    await query('ANALYZE messages, message_files, conversation_notes, contact_aliases');
    const [of] = await query<{ contact_id: string; channel_id: string }>(
      'SELECT * FROM conversations WHERE id = $1',
      [id],
    );
    const people = [api.workspaceId, of!.contact_id, of!.channel_id];
    const middle = [new Date(T + 600_000), '80000000-0000-0000-0000-000000000000'];
    const plans: [string, unknown[], RegExp][] = [
      [
        placesText('older', { isInclusive: false, isForStaff: true }),
        [...people, id, ...middle, 51],
        /messages_said/,
      ],
      [
        placesText('newer', { isInclusive: false, isForStaff: true }),
        [...people, id, ...middle, 51],
        /messages_said/,
      ],
      [galleryText('media'), [...people, ...middle, 51], /messages_with_pictures/],
      [galleryText('links'), [...people, ...middle, 51], /messages_with_links/],
    ];
    for (const [text, values, index] of plans) {
      const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values);
      const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(lines).toMatch(index);
      expect(lines).not.toMatch(/Seq Scan on messages/);
      expect(Number(/Buffers: shared hit=(\d+)/.exec(lines)?.[1]), lines).toBeLessThan(300);
    }
    const search = async (cursor: string | null) =>
      read<Found>(`${id}/search?search=the%20first${cursor === null ? '' : `&cursor=${cursor}`}`);
    const first = await search(null);
    expect(first).toMatchObject({ items: [], until: expect.any(String), nextCursor: expect.any(String) });
    expect(words(await search(first.nextCursor))).toEqual(['the first']);
  });
});
