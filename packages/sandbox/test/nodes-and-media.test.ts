import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  account,
  app,
  number,
  startReceiver,
  startSandbox,
  waitFor,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;
beforeAll(async () => {
  receiver = await startReceiver();
  started = await startSandbox({ whatsappCallbackUrl: receiver.url });
});
afterAll(async () => {
  await started.close();
  await receiver.close();
});

const own = { authorization: 'Bearer sandbox-access-token' };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

function upload(type: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', type);
  form.set('file', new Blob([bytes], { type }), 'a.png');
  return started.graph('POST', `${number}/media`, form);
}

test('an upload can be read back with the token, sent, and deleted', async () => {
  const id = String((await upload('image/png', new Uint8Array(png))).at('id'));
  const shown = await started.graph('GET', id);
  expect(shown.body).toMatchObject({
    mime_type: 'image/png',
    file_size: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
  });
  const address = String(shown.at('url'));
  expect((await fetch(address)).status).toBe(401);
  const file = await fetch(address, { headers: own });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
  expect((await fetch(address.replace('ext=', 'ext=1'), { headers: own })).status).toBe(404);
  const image = { messaging_product: 'whatsapp', to: '+447700900201', type: 'image', image: { id } };
  expect((await started.graph('POST', `${number}/messages`, image)).status).toBe(200);
  expect((await started.graph('DELETE', id)).body).toEqual({ success: true });
  expect((await started.graph('GET', id)).at('error.error_subcode')).toBe(33);
});

test('refuses types and sizes that the platform refuses', async () => {
  expect((await upload('text/html', new Uint8Array(png))).at('error.code')).toBe(100);
  expect((await upload('image/png', new Uint8Array(5 * 1024 * 1024 + 1))).at('error.code')).toBe(131053);
});

test('a customer file arrives with its digest in base64', async () => {
  await started.control('POST', 'whatsapp/inbound', {
    ...{
      from: '+447700900201',
      media: { mimeType: 'image/png', caption: 'Look', data: png.toString('base64') },
    },
  });
  const image = 'entry.0.changes.0.value.messages.0.image';
  const find = () => receiver.received.find(({ at }) => at(`${image}.caption`) === 'Look');
  await waitFor(() => find() !== undefined);
  const arrived = find();
  expect(arrived?.at(image)).toMatchObject({
    mime_type: 'image/png',
    sha256: createHash('sha256').update(png).digest('base64'),
  });
  expect((await started.graph('GET', String(arrived?.at(`${image}.id`)))).status).toBe(200);
});

test('a resumable upload goes on where it stopped and gives a handle for a template', async () => {
  const session = await started.graph(
    'POST',
    `${app}/uploads?file_name=a.png&file_length=${png.length}&file_type=image/png`,
  );
  const id = String(session.at('id'));
  const put = async (bytes: Buffer, offset: number) => {
    const headers = { authorization: 'OAuth sandbox-access-token', file_offset: String(offset) };
    const response = await fetch(`${started.url}/graph/v26.0/${id}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    });
    return (await response.json()) as Record<string, string>; // answers of this call are flat
  };
  await put(png.subarray(0, 20), 0);
  expect((await started.graph('GET', id)).body).toEqual({ id, file_offset: 20 });
  const { h } = await put(png.subarray(20), 20);
  expect(h).toMatch(/^4::/);
  const created = await started.graph('POST', `${account}/message_templates`, {
    ...{ name: 'with_picture', language: 'en_US', category: 'MARKETING' },
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
      { type: 'BODY', text: 'Look at this' },
    ],
  });
  expect(created.status).toBe(200);
  const shown = await started.graph('GET', String(created.at('id')));
  expect(
    (await fetch(String(shown.at('components.0.example.header_handle.0')))).headers.get('content-type'),
  ).toBe('image/png');
  const profile = { messaging_product: 'whatsapp', about: 'New', profile_picture_handle: h };
  expect((await started.graph('POST', `${number}/whatsapp_business_profile`, profile)).body).toEqual({
    success: true,
  });
  const read = await started.graph(
    'GET',
    `${number}/whatsapp_business_profile?fields=about,profile_picture_url`,
  );
  expect(read.at('data')).toMatchObject([
    { messaging_product: 'whatsapp', about: 'New', profile_picture_url: expect.any(String) },
  ]);
});

test('shows numbers and accounts with the asked fields', async () => {
  expect((await started.graph('GET', `${account}/phone_numbers`)).at('data')).toMatchObject([
    { id: number, quality_rating: 'GREEN' },
  ]);
  expect(
    (await started.graph('GET', `${number}?fields=status,whatsapp_business_manager_messaging_limit`)).body,
  ).toEqual({
    ...{ id: number, status: 'CONNECTED', whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED' },
  });
  expect((await started.graph('GET', `${account}?fields=currency`)).body).toEqual({
    id: account,
    currency: 'USD',
  });
  expect((await started.graph('GET', app)).at('id')).toBe(app);
  expect((await started.graph('GET', '1234567890123456')).body).toMatchObject({
    error: { type: 'GraphMethodException', code: 100, error_subcode: 33 },
  });
  expect((await started.graph('GET', 'no/such/path')).at('error.code')).toBe(2500);
});

test('a new number is verified, registered, used and deregistered', async () => {
  const made = await started.graph('POST', `${account}/phone_numbers`, {
    cc: '44',
    phone_number: '7700900177',
    verified_name: 'Second',
  });
  const id = String(made.at('id'));
  const message = {
    messaging_product: 'whatsapp',
    to: '+447700900201',
    type: 'template',
    template: { name: 'hello_world', language: { code: 'en_US' } },
  };
  expect((await started.graph('POST', `${id}/messages`, message)).at('error.code')).toBe(133010);
  expect((await started.graph('POST', `${id}/register`, { pin: '123456' })).at('error.code')).toBe(133006);
  expect(
    (await started.graph('POST', `${id}/request_code`, { code_method: 'SMS', language: 'en_US' })).status,
  ).toBe(200);
  expect((await started.graph('POST', `${id}/verify_code`, { code: '000000' })).at('error.code')).toBe(
    136025,
  );
  expect((await started.graph('POST', `${id}/verify_code`, { code: '123456' })).status).toBe(200);
  expect((await started.graph('POST', `${id}/register`, { pin: '123456' })).status).toBe(200);
  expect((await started.graph('POST', `${id}/request_code`)).at('error.code')).toBe(136024);
  expect((await started.graph('POST', `${id}/messages`, message)).status).toBe(200);
  expect((await started.graph('POST', `${id}/deregister`)).status).toBe(200);
  for (let i = 0; i < 7; i++) await started.graph('POST', `${id}/register`, { pin: '123456' });
  expect((await started.graph('POST', `${id}/register`, { pin: '123456' })).at('error.code')).toBe(133016);
});

test('blocks and unblocks people, keeps settings', async () => {
  const users = { messaging_product: 'whatsapp', block_users: [{ user: '+447700900299' }] };
  const path = `${number}/block_users`;
  expect((await started.graph('POST', path, users)).at('block_users.added_users.0.wa_id')).toBe(
    '447700900299',
  );
  const text = { messaging_product: 'whatsapp', to: '+447700900299', type: 'text', text: { body: 'x' } };
  expect((await started.graph('POST', `${number}/messages`, text)).at('error.code')).toBe(130403);
  expect((await started.graph('GET', path)).at('data')).toHaveLength(1);
  expect((await started.graph('DELETE', path, users)).at('block_users.removed_users')).toHaveLength(1);
  await started.graph('POST', `${number}/settings`, {
    user_identity_change: { enable_identity_key_check: true },
  });
  expect(
    (await started.graph('GET', `${number}/settings`)).at('user_identity_change.enable_identity_key_check'),
  ).toBe(true);
});

test('exchanges and describes tokens', async () => {
  const query = `client_id=${app}&client_secret=sandbox-app-secret`;
  const token = await started.graph('GET', `oauth/access_token?${query}&grant_type=client_credentials`);
  expect(
    (
      await started.graph('GET', app, undefined, {
        authorization: `Bearer ${String(token.at('access_token'))}`,
      })
    ).status,
  ).toBe(200);
  expect(
    (await started.graph('POST', 'oauth/access_token', { client_id: app, client_secret: 'wrong', code: 'x' }))
      .status,
  ).toBe(400);
  expect(
    (await started.graph('GET', 'debug_token?input_token=sandbox-expired-token')).at('data.is_valid'),
  ).toBe(false);
  expect(
    (await started.graph('GET', `${account}/subscribed_apps`)).at('data.0.whatsapp_business_api_data.id'),
  ).toBe(app);
});
