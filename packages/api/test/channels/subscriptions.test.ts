import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConnectionFixture, type ConnectionFixture } from './connection-fixture.ts';

type Subscription = { state: string; address: string | null; missing: string[] | null };
type Pressed = {
  added: string[];
  missing: string[] | null;
  appAddress: string | null;
  reason: string | null;
};
type App = { id: string; callbackUrl: string | null; fields: string[] | null };

/** Reference of the vendor, section 8. */
const NEEDED = [
  ...['messages', 'user_preferences', 'message_template_status_update', 'message_template_quality_update'],
  ...['template_category_update', 'phone_number_quality_update', 'phone_number_name_update'],
  ...['account_update', 'account_alerts', 'business_capability_update'],
];

let api: ConnectionFixture;
let ours: string;
beforeAll(async () => {
  api = await openConnectionFixture();
  ours = `${api.origin}/webhooks/whatsapp/acme`;
});
afterAll(() => api.close());

let made = 0;

/** A business with one number at the vendor, connected here but not subscribed. */
async function connect(app: { callbackUrl?: string; fields: string[] }) {
  made += 1;
  const ids = { appId: `30000000000010${made}`, phoneNumberId: `20000000000010${made}` };
  const account = {
    businessAccountId: `10000000000010${made}`,
    accessToken: `token-${made}-of-a-system-user`,
  };
  const secret = { appSecret: `secret-of-app-${made}` };
  const number = { displayPhoneNumber: `+44 7700 90020${made}`, subscribed: false };
  await api.control('whatsapp/numbers', { ...ids, ...account, ...secret, ...number, ...app });
  const written = api.written({ ...ids, ...account, ...secret });
  const connected = await api.admin.post('/api/channels/connections', written);
  expect(connected.status).toBe(200);
  const { id } = await connected.json<{ id: string }>();
  const at = `/api/channels/connections/${id}/subscription`;
  return {
    ...{ id, ...ids },
    read: async () => (await api.admin.get(at)).json<Subscription>(),
    press: async () => {
      const pressed = await api.admin.post(at);
      expect(pressed.status).toBe(200);
      return pressed.json<Pressed>();
    },
    async readApp() {
      const { apps } = await api.control<{ apps: App[] }>('whatsapp/webhook');
      return apps.find((one) => one.id === ids.appId)!;
    },
    /** Until a message that somebody writes to the number came to us. */
    async hears() {
      await api.control('whatsapp/inbound', {
        ...{ from: `44770090055${made}`, text: 'Hello', phoneNumberId: ids.phoneNumberId },
      });
      for (;;) {
        const calls = await api.admin.get('/api/webhook-calls');
        const { items } = await calls.json<{ items: { state: string; channelIds: string[] }[] }>();
        if (items.some((call) => call.state === 'received' && call.channelIds.includes(id))) return true;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

describe('one press', () => {
  test('has a new app be told of everything, which is told of nothing before', async () => {
    const { read, press, readApp, hears } = await connect({ fields: [] });
    expect(await read()).toEqual({ state: 'none', address: null, appAddress: null, missing: NEEDED });
    expect(await press()).toMatchObject({ added: NEEDED, missing: [], appAddress: ours, reason: null });
    expect(await read()).toEqual({ state: 'here', address: ours, appAddress: ours, missing: [] });
    expect(await readApp()).toMatchObject({ callbackUrl: ours });
    expect(await hears()).toBe(true);
    expect(await press()).toMatchObject({ added: [], missing: [] });
  });

  test('adds what is missing and takes nothing away', async () => {
    const { read, press, readApp } = await connect({ callbackUrl: ours, fields: ['messages', 'flows'] });
    expect((await read()).missing).toEqual(NEEDED.slice(1));
    expect(await press()).toMatchObject({ added: NEEDED.slice(1), missing: [] });
    const { fields } = await readApp();
    expect(fields).toEqual(expect.arrayContaining(['flows', ...NEEDED]));
  });

  test('leaves the address of another product alone, hears through its own, and names what that one must add', async () => {
    // It knows its own word alone, as any other product does.
    const other = createServer((request, answer) => {
      const { searchParams } = new URL(request.url ?? '', 'http://other.example');
      const isRight = searchParams.get('hub.verify_token') === 'of the other one';
      answer.writeHead(isRight ? 200 : 403).end(searchParams.get('hub.challenge'));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const callbackUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/hook`;
    const { appId, read, press, readApp, hears } = await connect({ callbackUrl, fields: ['messages'] });
    expect(await read()).toMatchObject({ state: 'none', appAddress: callbackUrl });
    expect(await press()).toEqual({
      ...{ milliseconds: expect.any(Number), added: [], missing: NEEDED.slice(1), appAddress: callbackUrl },
      reason: expect.stringContaining('verification'),
    });
    expect(await read()).toMatchObject({ state: 'here', address: ours, missing: NEEDED.slice(1) });
    expect(await readApp()).toMatchObject({ callbackUrl, fields: ['messages'] });
    expect(await hears()).toBe(true);
    // Once its owner has ticked them at the vendor, nothing is missing.
    const query = new URLSearchParams({
      ...{ object: 'whatsapp_business_account', callback_url: callbackUrl },
      ...{ verify_token: 'of the other one', fields: NEEDED.join(',') },
    });
    const ticked = await fetch(`${api.sandboxUrl}/graph/v26.0/${appId}/subscriptions?${query.toString()}`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-3-of-a-system-user' },
    });
    expect(ticked.status).toBe(200);
    expect(await read()).toMatchObject({ state: 'here', missing: [] });
    other.close();
  });
});

test('an app that sends to us by itself needs no press, and one that sends elsewhere says where', async () => {
  const here = await connect({ callbackUrl: ours, fields: NEEDED });
  const subscribe = (account: string, token: string) =>
    fetch(`${api.sandboxUrl}/graph/v26.0/${account}/subscribed_apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  await subscribe('100000000000104', 'token-4-of-a-system-user');
  expect(await here.read()).toEqual({ state: 'here', address: ours, appAddress: ours, missing: [] });
  const callbackUrl = 'https://other.example/hook';
  const elsewhere = await connect({ callbackUrl, fields: NEEDED });
  await subscribe('100000000000105', 'token-5-of-a-system-user');
  expect(await elsewhere.read()).toMatchObject({ state: 'elsewhere', address: callbackUrl, missing: [] });
});

test('an app whose secret is another one now is not believed to be told of everything', async () => {
  const { id, read } = await connect({ fields: NEEDED });
  await api.control('whatsapp/behaviour', { appSecretChanged: true });
  expect(await read()).toMatchObject({ missing: null });
  const pressed = await api.admin.post(`/api/channels/connections/${id}/subscription`);
  expect(pressed.status).toBe(422);
  const { items } = await (
    await api.admin.get('/api/channels/connections')
  ).json<{ items: { id: string; trouble: object | null }[] }>();
  expect(items.find((one) => one.id === id)?.trouble).toMatchObject({ problem: 'app_secret_wrong' });
  await api.control('whatsapp/behaviour', { appSecretChanged: false });
});
