import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWebhook } from '@app/providers/whatsapp-cloud/webhooks/parse-webhook';
import { openArrivals } from '../arrivals.ts';

type Person = { search: string; count: number; optedOut?: boolean; said?: string; visibleName?: boolean };
type Case = {
  contacts?: { name: string; phone: string }[];
  webhooks: unknown[];
  expect: { people?: Person[]; chat?: { search: string; contains: string[] } };
};
type Contact = { id: string; name: string; phone: string; optedOutAt: string | null };

const { admin, arrive, query } = await openArrivals();

const search = async (term: string) =>
  (await admin.get(`/api/contacts?limit=50&search=${encodeURIComponent(term)}`)).json<{ items: Contact[] }>();

/** The webhooks are of now. */
function readCase(name: string): Case {
  const now = Math.floor(Date.now() / 1000);
  const text = readFileSync(new URL(`inputs/${name}`, import.meta.url), 'utf8')
    .replaceAll('{{run}}', '1')
    .replaceAll(/\{\{now(?:-(\d+))?\}\}/g, (_, back = '0') => String(now - Number(back)));
  return JSON.parse(text) as Case; // a file of ours
}

async function play({ contacts = [], webhooks }: Case): Promise<void> {
  for (const contact of contacts) expect((await admin.post('/api/contacts', contact)).status).toBe(200);
  for (const webhook of webhooks) {
    const events = parseWebhook(JSON.stringify(webhook));
    expect(events).not.toBeNull();
    await arrive(...events!);
  }
}

describe('what customers write', () => {
  test.each([
    'reply-from-other-spelling-brazil.json',
    'opt-out-words.json',
    'everyday-words-after-opt-out.json',
    'name-that-nobody-sees.json',
    'contact-card-with-mail-only.json',
  ])('%s', async (name) => {
    const one = readCase(name);
    await play(one);
    for (const { search: term, count, optedOut, said, visibleName } of one.expect.people ?? []) {
      const { items } = await search(term);
      expect(items, said ?? term).toHaveLength(count);
      if (optedOut !== undefined) expect(items[0]!.optedOutAt !== null, said ?? term).toBe(optedOut);
      if (visibleName) expect(items[0]!.name).toMatch(/[\p{L}\p{N}]/u);
    }
    const { chat } = one.expect;
    if (!chat) return;
    const { items } = await search(chat.search);
    const { items: conversations } = await (
      await admin.get(`/api/contacts/${items[0]!.id}/conversations`)
    ).json<{ items: { id: string }[] }>();
    const messages = await admin.get(`/api/conversations/${conversations[0]!.id}/messages`);
    const text = JSON.stringify(await messages.json());
    for (const part of chat.contains) expect(text).toContain(part);
  });
});

/** A webhook of the sample number. */
const webhook = (field: string, value: object) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '100000000000001',
      changes: [
        {
          field,
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '447700900100', phone_number_id: '200000000000001' },
            ...value,
          },
        },
      ],
    },
  ],
});
const now = () => String(Math.floor(Date.now() / 1000));

describe('what the platform tells besides messages', () => {
  type Conversation = { id: string; unread: number; windowEndsAt: string | null };
  const conversations = async () =>
    (await (await admin.get('/api/conversations')).json<{ items: Conversation[] }>()).items;
  const called = (id: string, more: object) =>
    webhook('calls', {
      contacts: [{ profile: { name: 'Mia Kraus' }, wa_id: '491701234567' }],
      calls: [{ id, from: '491701234567', direction: 'USER_INITIATED', timestamp: now(), ...more }],
    });

  test('a missed call is in the chat, once, unread, and opens the window; an answered one is not unread', async () => {
    const missed = called('wacid.1', { event: 'terminate', status: ['FAILED'] });
    await play({ webhooks: [called('wacid.1', { event: 'connect' }), missed, missed], expect: {} });
    const [chat] = await conversations();
    expect(chat).toMatchObject({ unread: 1, windowEndsAt: expect.any(String) });
    const talked = called('wacid.2', { event: 'terminate', status: ['COMPLETED'], duration: 65 });
    await play({ webhooks: [talked], expect: {} });
    const answer = await admin.get(`/api/conversations/${chat!.id}/messages`);
    const { items } = await answer.json<{ items: { type: string; content: unknown }[] }>();
    expect(items.map(({ type, content }) => [type, content])).toEqual([
      ['call', { type: 'call', outcome: 'answered', seconds: 65 }],
      ['call', { type: 'call', outcome: 'missed', seconds: null }],
    ]);
    expect((await conversations())[0]).toMatchObject({ unread: 1 });
    expect((await search('Mia Kraus')).items).toHaveLength(1);
  });

  test('the address book of the phone names contacts without a name, and adds nobody', async () => {
    const said = (from: string, id: string) => ({
      messages: [{ from, id, timestamp: now(), type: 'text', text: { body: 'Hi' } }],
    });
    await play({
      contacts: [{ name: 'Ms Novak', phone: '+420601234567' }],
      webhooks: [
        webhook('messages', said('491701234568', 'wamid.sync.1')),
        webhook('smb_app_state_sync', {
          state_sync: ['491701234568', '420601234567', '491701234569'].map((number) => ({
            ...{ type: 'contact', action: 'add', metadata: { timestamp: now() } },
            contact: { full_name: 'Jo Baker', phone_number: number },
          })),
        }),
      ],
      expect: {},
    });
    expect((await search('Jo Baker')).items.map(({ phone }) => phone)).toEqual(['+491701234568']);
    expect((await search('420601234567')).items).toMatchObject([{ name: 'Ms Novak' }]);
    expect((await search('491701234569')).items).toEqual([]);
  });

  test.each([
    ['the error of a limit', webhook('messages', { errors: [{ code: 130429, title: 'Rate limit hit' }] })],
    [
      'a payment that failed',
      webhook('messages', {
        statuses: [{ id: 'wamid.p', type: 'payment', status: 'failed', timestamp: now() }],
      }),
    ],
    ['a group', webhook('group_status_update', { groups: [{ group_id: 'g', type: 'group_suspend' }] })],
    ['a form', webhook('flows', { event: 'FLOW_STATUS_CHANGE', message: 'published' })],
    ['payment settings', webhook('payment_configuration_update', { status: 'Active' })],
    ['a call that rings', called('wacid.3', { event: 'connect' })],
  ])('%s is understood and stored', async (_, body) => {
    await query('DELETE FROM platform_events');
    await play({ webhooks: [body], expect: {} });
    const kinds = await query<{ kind: string }>('SELECT kind FROM platform_events');
    expect(kinds).toHaveLength(1);
    expect(kinds[0]!.kind).not.toBe('unknown');
  });
});
