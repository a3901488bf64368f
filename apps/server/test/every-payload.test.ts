import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { part } from '@app/database/testing/thorough';
import { shownLine, shownMessage } from '@app/domain/conversations/shown-message';
import { openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

/** Every webhook of a conversation that the platform is known to send, by its file, with its people and ids made anew. */
const FIXTURES = new URL(
  '../../../packages/providers/src/whatsapp-cloud/webhooks/fixtures/',
  import.meta.url,
);
const names = readdirSync(FIXTURES)
  .filter((name) => /^(message|echo|history)/.test(name))
  .map((name) => name.replace('.json', ''));

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

type Item = { kind: string; text: string | null; [field: string]: unknown };
let count = 0;

function open(name: string) {
  count += 1;
  const digits = String(447_700_910_000 + count);
  const userId = `GB.77${digits}`;
  const renew = (text: string) =>
    text
      .replaceAll('447700900201', digits)
      .replaceAll('447700900999', String(447_700_920_000 + count))
      .replaceAll('GB.7310924415503', userId)
      .replaceAll('GB.9900112233445', `GB.88${digits}`)
      .replaceAll('wamid.', `wamid.${count}.`);
  const fixture = renew(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'));
  const before = (id: string, text: string) =>
    renew(
      JSON.stringify(
        wrapValue({
          contacts: [{ wa_id: '447700900201', user_id: 'GB.7310924415503', profile: { name: 'Ann Lee' } }],
          messages: [
            {
              ...{ from: '447700900201', from_user_id: 'GB.7310924415503', id: `wamid.${id}` },
              ...{ timestamp: '1789999000', type: 'text', text: { body: text } },
            },
          ],
        }),
      ),
    );
  return { fixture, before, userId, digits };
}

/** What people see of the conversation, newest first. */
async function see({ userId, digits }: { userId: string; digits: string }): Promise<Item[]> {
  const { rows } = await host.database.query<{ id: string }>(
    `SELECT v.id FROM conversations v JOIN contacts c ON c.id = v.contact_id
      WHERE c.platform_user_id = ANY ($1::text[]) OR c.phone = ANY ($2::text[])`,
    [
      [userId, `GB.88${digits}`],
      [`+${digits}`, `+${String(447_700_920_000 + count)}`],
    ],
  );
  const { status, body } = await host.call<{ items: Item[] }>(
    'GET',
    `/api/conversations/${rows[0]?.id}/messages`,
  );
  expect(status).toBe(200);
  return body.items;
}
const line = (item: Item | undefined) => {
  const { type, text, content } = item as unknown as { type: string; text: string | null; content: unknown };
  return shownLine(shownMessage({ type, text, content }));
};

/** What each shows, as one line, and what else is told of it. */
const shown: Record<string, { line: [kind: string, text: string]; more?: object }> = {
  'message-text': { line: ['text', 'Do you open on Sunday? äö / 👋'], more: { isUnread: true } },
  'message-hidden-number': { line: ['text', 'Hi'] },
  'message-forwarded': { line: ['text', 'Look'], more: { about: { isForwarded: true } } },
  'message-advert': {
    line: ['text', 'I saw your offer'],
    more: { about: { ad: { headline: 'Summer', body: '20 % off', url: 'https://ads.example/1' } } },
  },
  'message-image': { line: ['image', 'The dent'], more: { files: [{ kind: 'image' }] } },
  'message-video': { line: ['video', ''], more: { files: [{ kind: 'video' }] } },
  'message-audio': { line: ['voice', ''], more: { files: [{ kind: 'audio', voice: true }] } },
  'message-document': {
    line: ['document', 'My order'],
    more: { files: [{ kind: 'document', name: 'order.pdf' }] },
  },
  'message-sticker': { line: ['sticker', ''], more: { files: [{ kind: 'sticker', animated: true }] } },
  'message-location': { line: ['location', 'Shop'] },
  'message-contacts': { line: ['contacts', 'Bo'] },
  'message-button-reply': { line: ['text', 'Keep'], more: { quoted: { id: null } } },
  'message-list-reply': { line: ['text', 'Today'] },
  'message-template-button': { line: ['text', 'Stop updates'] },
  'message-flow-reply': { line: ['form', ''] },
  'message-call-permission-reply': { line: ['call_permission', ''] },
  'message-call-missed': { line: ['missed_call', ''], more: { direction: 'in', isUnread: true } },
  'message-call-answered': { line: ['call', ''], more: { direction: 'in', isUnread: false } },
  'message-order': { line: ['order', ''] },
  'message-unsupported': { line: ['unsupported', ''], more: { content: { vendorType: 'poll_creation' } } },
  'echo-text': {
    line: ['text', 'Written on the phone'],
    more: { direction: 'out', author: { kind: 'app' } },
  },
};

describe('a message of the platform is shown as what it is, once', () => {
  it.each(part(Object.entries(shown), 4))('%s', async (name, { line: [kind, text], more = {} }) => {
    const one = open(name);
    expect([await host.deliver(one.fixture), await host.deliver(one.fixture)]).toEqual([200, 200]);
    const items = (await see(one)).filter((item) => item.kind === 'message');
    expect(items.map(line)).toEqual([{ kind, text }]);
    expect(items).toMatchObject([more]);
  });

  it('history', async () => {
    const one = open('history');
    expect(await host.deliver(one.fixture)).toBe(200);
    expect(await see(one)).toMatchObject([
      { text: 'Hi', direction: 'in', isUnread: false },
      { text: 'Hello', direction: 'out' },
    ]);
  });
});

type Change = { target: string; says: object };
const changes: Record<string, Change> = {
  'message-edit': {
    target: 'old',
    says: { text: 'new text', isEdited: true, isRevoked: false, original: { text: 'before' } },
  },
  'message-revoke': { target: 'old', says: { text: null, isRevoked: true, original: { text: 'before' } } },
  'message-reaction': {
    target: 'ours',
    says: { text: 'before', reactions: [{ emoji: '👍', direction: 'in' }] },
  },
  'message-reaction-removed': { target: 'ours', says: { text: 'before', reactions: [] } },
};

describe('a change of another message stands with that one, whichever comes first', () => {
  const orders = Object.entries(changes).flatMap(([name, change]) =>
    (['after', 'before'] as const).map((order) => [name, order, change] as const),
  );
  it.each(orders)('%s, %s it', async (name, order, { target, says }) => {
    const one = open(name);
    const bodies = [one.before(target, 'before'), one.fixture];
    for (const body of order === 'after' ? bodies : bodies.toReversed())
      expect(await host.deliver(body)).toBe(200);
    expect(await see(one)).toMatchObject([says]);
  });
});

describe('somebody who becomes known by something else stays the person of the conversation', () => {
  it.each([
    ['message-system-number-changed', ['number_changed', 'message']],
    ['message-system-user-id-changed', ['message']],
  ])('%s', async (name, kinds) => {
    const one = open(name);
    expect(await host.deliver(one.before('first', 'before'))).toBe(200);
    expect(await host.deliver(one.fixture)).toBe(200);
    expect((await see(one)).map(({ kind }) => kind)).toEqual(kinds);
    const { rows } = await host.database.query(
      'SELECT phone, platform_user_id AS id FROM contacts WHERE phone = ANY ($1::text[])',
      [[`+${one.digits}`, `+${447_700_920_000 + count}`]],
    );
    expect(rows).toEqual([
      name.includes('number')
        ? { phone: `+${447_700_920_000 + count}`, id: one.userId }
        : { phone: `+${one.digits}`, id: `GB.88${one.digits}` },
    ]);
  });
});

it('what belongs to no conversation is kept as it came', async () => {
  for (const name of ['message-errors-only', 'history-declined'])
    expect(await host.deliver(open(name).fixture)).toBe(200);
  const { rows } = await host.database.query(
    `SELECT kind FROM platform_events WHERE payload::text LIKE '%Something went wrong%'`,
  );
  expect(rows.length).toBeGreaterThan(0);
});

it('every payload that is known has its place above', () => {
  const systems = ['message-system-number-changed', 'message-system-user-id-changed'];
  const apart = ['history', 'message-errors-only', 'history-declined', ...systems];
  expect(names.toSorted()).toEqual([...Object.keys(shown), ...Object.keys(changes), ...apart].toSorted());
});
