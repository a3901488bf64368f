import { afterAll, beforeAll, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { connectAgent } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Link = {
  label: string;
  target: string;
  place: string;
  clicked: number;
  clicks: number;
  previews: number;
};
type Outcome = {
  clicked: number;
  clicks: number;
  previews: number;
  converted: number;
  conversions: number;
  revenue: number;
  currency: string;
  notCounted: object[];
  links: Link[];
};
type Campaign = { id: string; status: string; counts: Record<string, number> };

const BROWSER = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
const TARGET = 'https://shop.example/sale?utm_source=rcs&size=42';
const PHONES = ['+491511100001', '+491511100002', '+491511100003'];

let host: HostFixture;
let agentId: string;

const open = (code: string, init: RequestInit & { agent?: string } = {}) => {
  const { agent = BROWSER, ...rest } = init;
  return fetch(`${host.url}/l/${code}`, { redirect: 'manual', headers: { 'user-agent': agent }, ...rest });
};
const codesIn = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/http:\/\/127\.0\.0\.1:3000\/l\/([\w-]+)/g)].map(([, code]) => code!);
const outcome = async (id: string) =>
  (await host.call<Outcome>('GET', `/api/campaigns/${id}/conversions`)).body;

async function send(over: object, phones: readonly string[]): Promise<string> {
  const ids = [];
  for (const phone of phones) {
    const { body } = await host.call<{ id: string }>('POST', '/api/contacts', {
      name: 'Reader',
      phone,
      tags: [],
    });
    const { rows } = await host.database.query('SELECT id FROM contacts WHERE phone = $1', [phone]);
    ids.push(body.id ?? rows[0].id);
  }
  const created = await host.call<Campaign>('POST', '/api/campaigns', {
    ...{ name: 'Links', audience: { contactIds: ids }, ...over },
  });
  expect([created.status, created.body]).toMatchObject([200, {}]);
  const { id } = created.body;
  const started = await host.call('POST', `/api/campaigns/${id}/start`);
  expect([started.status, started.body]).toMatchObject([200, {}]);
  await eventually(
    () => host.call<Campaign>('GET', `/api/campaigns/${id}`),
    ({ body }) => body.status === 'completed',
  );
  return id;
}

/** What each phone got through the agent, as JSON. */
async function received(phone: string): Promise<unknown> {
  const { phones } = await host.sandbox<{ phones: { phone: string }[] }>('/_sandbox/rcs/phones');
  return phones.find((one) => one.phone === phone);
}

beforeAll(async () => {
  host = await openHostFixture();
  agentId = await connectAgent(host, { readRate: 1 });
  await host.sandbox('/_sandbox/whatsapp/behaviour', { throughputMps: 0, latencyMs: 0, failRate: 0 });
});
afterAll(() => host.close());

it('links of an RCS campaign lead on, count each person once, and tell programs apart; a conversion follows its click', async () => {
  const message = await host.call<{ id: string }>('POST', '/api/rcs/messages', {
    ...{ name: 'Sale', type: 'text', status: 'active' },
    content: {
      text: 'Hello {{name}}, see https://shop.example/sale?utm_source=rcs&size=42 or https://shop.example/unsubscribe',
      suggestions: [{ type: 'url', text: 'Shop now', data: 'shop', url: TARGET }],
    },
  });
  const id = await send({ channelId: agentId, message: { contentId: message.body.id } }, PHONES);
  const codes: string[][] = [];
  for (const phone of PHONES) {
    const shown = await received(phone);
    expect(JSON.stringify(shown)).toContain('https://shop.example/unsubscribe');
    codes.push([...new Set(codesIn(shown))]);
  }
  expect(codes.map((ofPhone) => ofPhone.length)).toEqual([2, 2, 2]);
  expect(new Set(codes.flat()).size).toBe(6);

  const led = await open(codes[0]![0]!);
  expect([led.status, led.headers.get('location')]).toEqual([302, TARGET]);
  await open(codes[0]![0]!);
  await open(codes[0]![1]!);
  await open(codes[1]![0]!);
  expect((await open(codes[2]![0]!, { method: 'HEAD' })).headers.get('location')).toBe(TARGET);
  await open(codes[2]![1]!, { agent: 'WhatsApp/2.24.1 A' });
  const figures = await outcome(id);
  // The second one within ten seconds is none.
  expect(figures).toMatchObject({
    clicked: 2,
    clicks: 3,
    previews: 2,
    conversions: 0,
    revenue: 0,
    currency: 'USD',
  });
  expect(figures.links).toHaveLength(2);
  expect(figures.links.every(({ target }) => target === TARGET)).toBe(true);
  expect(new Set(figures.links.map(({ label }) => label))).toEqual(new Set(['', 'Shop now']));

  // Nothing but what was stored and signed leads anywhere.
  const [one] = codes[0]!;
  for (const forged of [
    `${one!.slice(0, -1)}x`,
    one!.replace(/.-/, 'z-'),
    'https%3A%2F%2Fevil.example',
    'x',
    `${one}?to=https://evil.example`.replace('?', '%3F'),
  ])
    expect((await open(forged)).status).toBe(404);

  type Recorded = {
    isNew: boolean;
    campaignId: string | null;
    isInRevenue: boolean;
    clickedAt: string | null;
  };
  const record = (body: object) =>
    host.call<Recorded & { error: { code: string } }>('POST', '/api/conversions', body);
  const order = { phone: PHONES[0], externalId: 'order-1', value: 42.5, currency: 'USD' };
  expect((await record(order)).body).toMatchObject({ isNew: true, campaignId: id, isInRevenue: true });
  expect((await record({ ...order, value: 99 })).body).toMatchObject({ isNew: false, campaignId: id });
  expect((await record({ ...order, externalId: 'order-2', value: 10, currency: 'EUR' })).body).toMatchObject({
    isInRevenue: false,
  });
  // Who did not click before it belongs to no campaign.
  const early = new Date(Date.now() - 86_400_000).toISOString();
  expect((await record({ phone: PHONES[1], occurredAt: early })).body).toMatchObject({
    isNew: true,
    campaignId: null,
  });
  expect((await record({ phone: PHONES[2] })).body).toMatchObject({ campaignId: null, clickedAt: null });
  for (const [wrong, code] of [
    [{ phone: '+491511100099' }, 'contact_not_found'],
    [{ phone: '12' }, 'contact_phone_invalid'],
    [{ phone: PHONES[0], value: 5 }, 'invalid_input'],
    [{ phone: PHONES[0], contactId: message.body.id }, 'invalid_input'],
    [{}, 'invalid_input'],
    [{ phone: PHONES[0], occurredAt: '2020-01-01T00:00:00Z' }, 'conversion_time_invalid'],
    [{ phone: PHONES[0], occurredAt: '2099-01-01T00:00:00Z' }, 'conversion_time_invalid'],
  ] as const)
    expect((await record(wrong)).body.error.code).toBe(code);
  expect(await outcome(id)).toMatchObject({
    ...{ converted: 1, conversions: 2, revenue: 42.5, currency: 'USD' },
    notCounted: [{ currency: 'EUR', value: 10, conversions: 1 }],
  });
  // The funnel of analytics has the clicks of people.
  const report = await host.call<{ items: { id: string; clicked: number }[] }>(
    'GET',
    '/api/analytics/results',
  );
  expect(report.body.items.find((one) => one.id === id)).toMatchObject({ clicked: 2 });

  type Figures = Record<
    'sent' | 'delivered' | 'read' | 'failed' | 'clicked' | 'converted' | 'fallback' | 'cost',
    number
  >;
  const rcs = await host.call<{
    total: Figures;
    days: Figures[];
    messages: (Figures & { id: string; name: string })[];
    countries: (Figures & { country: string })[];
  }>('GET', '/api/rcs/analytics');
  const expected = { sent: 3, delivered: 3, read: 3, failed: 0, clicked: 2, converted: 1, fallback: 0 };
  expect(rcs.body).toMatchObject({
    total: expected,
    messages: [{ id: message.body.id, name: 'Sale', kind: 'message', ...expected }],
    countries: [{ country: 'DE', ...expected }],
  });
  expect(rcs.body.days).toHaveLength(30);
  expect(rcs.body.days.reduce((sum, { clicked }) => sum + clicked, 0)).toBe(2);
  expect(rcs.body.total.cost).toBeCloseTo(0.15);
  const ofMessage = await host.call('GET', `/api/rcs/messages/${message.body.id}`);
  const metrics = { sent: 3, delivered: 3, read: 3, clicked: 2, conversions: 1 };
  expect(ofMessage.body).toMatchObject({ metrics });
  expect((await host.call('GET', '/api/rcs/messages?search=sale')).body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ id: message.body.id, metrics })]),
  });
  const list = await host.call<{
    items: { phone: string; clickedAt: string | null; convertedAt: string | null }[];
  }>('GET', `/api/campaigns/${id}/recipients`);
  expect(
    PHONES.map((phone) => {
      const { clickedAt, convertedAt } = list.body.items.find((one) => one.phone === phone)!;
      return [clickedAt !== null, convertedAt !== null];
    }),
  ).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
  const results = await host.call<{ funnel: { converted: number }; revenue: number }>(
    'GET',
    '/api/analytics/results',
  );
  expect(results.body).toMatchObject({ funnel: { clicked: 2, converted: 1 }, revenue: 42.5 });

  // A shorter window counts what fits, also for what is past.
  await host.database.query(
    `UPDATE conversions SET clicked_at = clicked_at - interval '3 days' WHERE external_id = 'order-1'`,
  );
  const saved = await host.call('PUT', '/api/conversions/settings', {
    windowDays: 2,
    countsLinks: true,
    version: 0,
  });
  expect(saved.body).toMatchObject({ windowDays: 2, version: 1 });
  expect(await outcome(id)).toMatchObject({ conversions: 1, revenue: 0, windowDays: 2 });
  const stale = await host.call<{ error: { code: string } }>('PUT', '/api/conversions/settings', {
    windowDays: 9,
    countsLinks: true,
    version: 0,
  });
  expect(stale.body.error.code).toBe('conversion_settings_changed');
});

longTest(
  'a template is counted through a button that leads here, and needs a fixed address for it',
  async () => {
    const components = [
      { type: 'body', text: 'Hello {{name}}, our sale has begun.' },
      { type: 'button', buttons: [{ type: 'url', text: 'Shop', url: 'http://127.0.0.1:3000/l/{{page}}' }] },
    ];
    const template = await host.call<{ id: string }>('POST', '/api/templates', {
      ...{ name: 'Counted', language: 'en', status: 'approved', components },
    });
    expect([template.status, template.body]).toMatchObject([200, {}]);
    const templateId = template.body.id;
    await eventually(
      () => host.call<{ isSendable: boolean }>('GET', `/api/templates/${templateId}`),
      ({ body: { isSendable } }) => isSendable,
    );
    const draft = (variables: object) => ({ message: { templateId }, variables });
    const refused = await host.call<Campaign>('POST', '/api/campaigns', {
      ...{ name: 'No address', audience: { filter: {} }, ...draft({ page: { field: 'name' } }) },
    });
    const start = await host.call<{ error: { code: string } }>(
      'POST',
      `/api/campaigns/${refused.body.id}/start`,
    );
    expect(start.body.error.code).toBe('link_target_missing');

    const id = await send(draft({ page: { text: TARGET } }), [PHONES[0]!]);
    const { messages } = await host.sandbox<{ messages: object[] }>('/_sandbox/whatsapp/messages');
    const [, code] = /"text":"([\w]{12,}-\w{9})"/.exec(JSON.stringify(messages)) ?? [];
    expect((await open(code!)).headers.get('location')).toBe(TARGET);
    expect(await outcome(id)).toMatchObject({ clicked: 1, links: [{ label: 'Shop', place: 'button' }] });

    // Switched off, the button leads on, and nothing is counted.
    const quiet = await send({ ...draft({ page: { text: TARGET } }), countsLinks: false }, [PHONES[1]!]);
    const all = JSON.stringify(
      (await host.sandbox<{ messages: object[] }>('/_sandbox/whatsapp/messages')).messages,
    );
    const second = [...all.matchAll(/"text":"([\w]{12,}-\w{9})"/g)]
      .map(([, one]) => one!)
      .find((one) => one !== code);
    expect((await open(second!)).headers.get('location')).toBe(TARGET);
    expect(await outcome(quiet)).toMatchObject({ clicked: 0, countsLinks: false });
  },
);

it('visits of a campaign are tagged where Google Analytics wants them, and a link that has tags keeps them', async () => {
  const values = { measurementId: 'G-SANDBOX01', apiSecret: 'sandbox-google-analytics-secret' };
  const connected = await host.call('POST', '/api/integrations/google_analytics/connect', { values });
  expect([connected.status, connected.body]).toMatchObject([200, {}]);
  const address = '/api/integrations/google_analytics/events';
  const { version } = (await host.call<{ version: number }>('GET', address)).body;
  const chosen = await host.call('PUT', address, { topics: ['linkTags'], target: null, version });
  expect([chosen.status, chosen.body]).toMatchObject([200, {}]);
  const message = await host.call<{ id: string }>('POST', '/api/rcs/messages', {
    ...{ name: 'Tagged', type: 'text', status: 'active' },
    content: {
      text: 'See https://shop.example/new?size=42#top',
      suggestions: [{ type: 'url', text: 'Shop now', data: 'shop', url: TARGET }],
    },
  });
  const phone = '+491511100009';
  await send({ channelId: agentId, message: { contentId: message.body.id } }, [phone]);
  const codes = [...new Set(codesIn(await received(phone)))];
  const led = await Promise.all(codes.map(async (code) => (await open(code)).headers.get('location')));
  expect(led.toSorted()).toEqual([
    'https://shop.example/new?size=42&utm_source=rcs&utm_medium=messaging&utm_campaign=links#top',
    TARGET,
  ]);
});
