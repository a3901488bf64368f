import { afterAll, beforeAll, expect, test } from 'vitest';
import { isThorough } from '@app/database/testing/thorough';
import { eventually, openHostFixture, type HostFixture } from '../host-fixture.ts';

const PEOPLE = isThorough ? 1_000 : 60;

/** As they are dialled; the platform answers from another spelling of each. */
const dialled = [
  (n: number) => `+55119${70_000_000 + n}`,
  (n: number) => `+52551${2_000_000 + n}`,
  (n: number) => `+5411${40_000_000 + n}`,
];

type Campaign = { id: string; status: string; counts: Record<'total' | 'sent' | 'cancelled', number> };

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

async function campaignTo(tag: string): Promise<Campaign> {
  const sent = await host.call<{ campaignId: string; error?: object }>('POST', '/api/bulk-messages', {
    audience: { filter: { tags: [tag] } },
    message: { templateId: await templateId() },
  });
  expect(sent.body).not.toHaveProperty('error');
  return eventually(
    async () => (await host.call<Campaign>('GET', `/api/campaigns/${sent.body.campaignId}`)).body,
    ({ status }) => status === 'completed',
  );
}

let known: string | undefined;
async function templateId(): Promise<string> {
  if (known !== undefined) return known;
  const components = [{ type: 'body', text: 'Hello {{name}}, our shop is open again.' }];
  const offer = { name: 'Open again', status: 'approved', components };
  const { body } = await host.call<{ id: string }>('POST', '/api/templates', offer);
  await eventually(
    async () => (await host.call<{ isSendable: boolean }>('GET', `/api/templates/${body.id}`)).body,
    ({ isSendable }) => isSendable,
  );
  return (known = body.id);
}

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await host.database.query<{ n: string }>(text, values)).rows[0]!.n);
const contacts = () =>
  count('SELECT count(*) AS n FROM contacts WHERE workspace_id = $1', [host.workspaceId]);
const sentTo = async (phone: string) =>
  (
    await host.sandbox<{ messages: unknown[] }>(
      `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`,
    )
  ).messages.length;

test('every tenth answers STOP from the other spelling: no second contact, and no message to them afterwards', async () => {
  const phones = Array.from({ length: PEOPLE }, (_, n) => dialled[n % 3]!(n * 7));
  await host.database.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags)
     SELECT gen_random_uuid(), $1, 'Person ' || n, phone, '{abroad}' FROM unnest($2::text[]) WITH ORDINALITY AS p (phone, n)`,
    [host.workspaceId, phones],
  );
  const before = await contacts();
  const first = await campaignTo('abroad');
  expect(first.counts).toMatchObject({ total: PEOPLE, sent: PEOPLE, cancelled: 0 });

  const stopping = phones.filter((_, place) => place % 10 === 0);
  for (const from of stopping) await host.sandbox('/_sandbox/whatsapp/inbound', { from, text: 'STOP' });
  await eventually(
    () =>
      count(
        'SELECT count(*) AS n FROM contacts WHERE workspace_id = $1 AND opted_out_at IS NOT NULL AND phone = ANY ($2)',
        [host.workspaceId, stopping],
      ),
    (n) => n === stopping.length,
  );
  expect(await contacts()).toBe(before);

  const second = await campaignTo('abroad');
  const left = PEOPLE - stopping.length;
  expect(second.counts).toMatchObject({ total: PEOPLE, sent: left, cancelled: stopping.length });
  expect(await contacts()).toBe(before);
  for (const phone of stopping) expect(await sentTo(phone)).toBe(1);
  expect(await sentTo(phones[1]!)).toBe(2);
});

test('of a pair that was there before, neither gets a campaign after the opt-out of one', async () => {
  const pair = ['+5511976543210', '+551176543210'];
  await host.database.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags) SELECT gen_random_uuid(), $1, 'Twin', phone, '{pair}' FROM unnest($2::text[]) AS phone`,
    [host.workspaceId, pair],
  );
  await host.sandbox('/_sandbox/whatsapp/inbound', { from: pair[0], text: 'STOP' });
  await eventually(
    () =>
      count('SELECT count(*) AS n FROM contacts WHERE phone = ANY ($1) AND opted_out_at IS NOT NULL', [pair]),
    (n) => n === 2,
  );
  const other = await host.call<{ error?: { code: string } }>('POST', '/api/bulk-messages', {
    audience: { filter: { tags: ['pair'] } },
    message: { templateId: await templateId() },
  });
  expect(other.body.error?.code).toBe('campaign_audience_empty');
  for (const phone of pair) expect(await sentTo(phone)).toBe(0);
});

test('first messages from both spellings at once make one contact', async () => {
  const before = await contacts();
  const people = Array.from({ length: 10 }, (_, n) => `55119810000${10 + n}`);
  const now = String(Math.floor(Date.now() / 1000));
  const said = (from: string) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '447700900100', phone_number_id: '200000000000001' },
              contacts: [{ profile: { name: 'Both' }, wa_id: from }],
              messages: [
                { from, id: `wamid.${from}`, timestamp: now, type: 'text', text: { body: 'Hello' } },
              ],
            },
          },
        ],
      },
    ],
  });
  // Without the ninth digit, too.
  const spellings = people.flatMap((one) => [one, `${one.slice(0, 4)}${one.slice(5)}`]);
  const answers = await Promise.all(spellings.map((from) => host.deliver(said(from))));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await contacts()).toBe(before + people.length);
});
