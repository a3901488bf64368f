import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { expect, test } from 'vitest';
import { accepts, messageCalls, ownService, refused, to, type Row } from './kapso-messages.ts';
import { account, methodsOf, number, passed, png, token, useWorld } from './world.ts';

const world = useWorld();
const connect = () => new WhatsAppClient({ accessToken: token, baseUrl: world.base, graphVersion: 'v24.0' });
let made = 0;
const makeTemplate = (client: WhatsAppClient) =>
  client.templates.create({
    ...{ businessAccountId: account, name: `made_${made++}`, language: 'en_US', category: 'MARKETING' },
    components: [{ type: 'BODY', text: 'Thank you for your visit' }],
  });
const upload = (client: WhatsAppClient) =>
  client.media.upload({
    phoneNumberId: number,
    type: 'image/png',
    file: new Blob([png], { type: 'image/png' }),
    fileName: 'a.png',
  });
const flow = { flowId: '500000000000001' };
const call = { phoneNumberId: number, callId: 'wacid.1', session: { sdpType: 'answer', sdp: 'v=0' } };

const calls: Record<string, Record<string, Row>> = {
  messages: messageCalls(world),
  media: {
    upload: accepts(upload, { id: expect.any(String) }),
    get: accepts((client) => client.media.get({ mediaId: world.picture, phoneNumberId: number }), {
      mimeType: 'image/png',
    }),
    delete: accepts(async (client) => client.media.delete({ mediaId: (await upload(client)).id }), {
      success: true,
    }),
    download: async (client) => {
      const file = (await client.media.download({ mediaId: world.picture, auth: 'always' })) as ArrayBuffer;
      expect(Buffer.from(file)).toEqual(png);
    },
  },
  templates: {
    create: accepts(makeTemplate, { id: expect.any(String), category: 'MARKETING' }),
    list: accepts(
      (client) => client.templates.list({ businessAccountId: account, limit: 1, status: 'APPROVED' }),
      {
        data: [{ language: 'en_US' }],
        paging: { cursors: {} },
      },
    ),
    delete: accepts(
      async (client) => {
        await makeTemplate(client);
        return client.templates.delete({ businessAccountId: account, name: `made_${made - 1}` });
      },
      { success: true },
    ),
    // The library asks below the account; the platform knows templates by their id alone.
    get: refused((client) => client.templates.get({ businessAccountId: account, templateId: '1' }), 2500),
  },
  phoneNumbers: {
    requestCode: accepts(
      async (client) =>
        client.phoneNumbers.requestCode({
          phoneNumberId: await world.freshNumber(),
          codeMethod: 'SMS',
          language: 'en_US',
        }),
      { success: true },
    ),
    verifyCode: accepts(
      async (client) =>
        client.phoneNumbers.verifyCode({ phoneNumberId: await world.freshNumber(), code: '123456' }),
      {
        success: true,
      },
    ),
    register: accepts(
      async (client) => {
        const phoneNumberId = await world.freshNumber();
        await client.phoneNumbers.verifyCode({ phoneNumberId, code: '123456' });
        return client.phoneNumbers.register({ phoneNumberId, pin: '123456' });
      },
      { success: true },
    ),
    deregister: refused(
      async (client) => client.phoneNumbers.deregister({ phoneNumberId: await world.freshNumber() }),
      133010,
    ),
    'settings.get': accepts((client) => client.phoneNumbers.settings.get({ phoneNumberId: number }), {
      storageConfiguration: {},
    }),
    'settings.update': accepts(
      (client) =>
        client.phoneNumbers.settings.update({ phoneNumberId: number, calling: { status: 'ENABLED' } }),
      {
        success: true,
      },
    ),
    'businessProfile.get': accepts(
      (client) =>
        client.phoneNumbers.businessProfile.get({ phoneNumberId: number, fields: 'about,vertical' }),
      {
        data: [{ messagingProduct: 'whatsapp' }],
      },
    ),
    'businessProfile.update': accepts(
      (client) =>
        client.phoneNumbers.businessProfile.update({
          phoneNumberId: number,
          about: 'New',
          websites: ['https://shop.example/'],
        }),
      { success: true },
    ),
  },
  calls: {
    connect: refused((client) => client.calls.connect(to), 138000),
    preAccept: refused((client) => client.calls.preAccept(call), 138000),
    accept: refused((client) => client.calls.accept(call), 138000),
    reject: refused((client) => client.calls.reject(call), 138000),
    terminate: refused((client) => client.calls.terminate(call), 138000),
    'permissions.get': accepts(
      (client) => client.calls.permissions.get({ phoneNumberId: number, userWaId: '447700900201' }),
      {
        permission: { status: 'no_permission' },
      },
    ),
    list: ownService((client) => client.calls.list({ phoneNumberId: number })),
    get: ownService((client) => client.calls.get({ phoneNumberId: number, callId: 'x' })),
  },
  flows: {
    list: accepts((client) => client.flows.list({ wabaId: account }), { data: [] }),
    create: refused(
      (client) =>
        client.flows.create({ wabaId: account, name: 'x', flowJson: { version: '7.2', screens: [] } }),
      139000,
    ),
    deploy: refused(
      (client) => client.flows.deploy({ version: '7.2', screens: [] }, { wabaId: account, name: 'x' }),
      139000,
    ),
    updateAsset: refused(
      (client) => client.flows.updateAsset({ ...flow, json: { version: '7.2', screens: [] } }),
      100,
    ),
    publish: refused((client) => client.flows.publish(flow), 100),
    deprecate: refused((client) => client.flows.deprecate(flow), 100),
    preview: refused((client) => client.flows.preview(flow), 100),
    get: refused((client) => client.flows.get(flow), 100),
  },
};

test.each(
  Object.entries(calls).flatMap(([part, list]) => Object.keys(list).map((name) => [part, name] as const)),
)('%s.%s', async (part, name) => {
  await expect(passed(calls[part]?.[name]?.(connect()))).resolves.toBe(true);
});

test('every call of the client has a test', () => {
  const client = connect();
  const helpers = ['buildCacheKey', 'getFlowAssets', 'sendMessageRequest'];
  const offered = (['messages', 'media', 'templates', 'phoneNumbers', 'calls', 'flows'] as const).map(
    (part) => [part, methodsOf(Object.getPrototypeOf(client[part]), helpers).sort()],
  );
  const tested = Object.entries(calls).map(([part, list]) => [
    part,
    Object.keys(list)
      .filter((name) => !name.includes('.'))
      .sort(),
  ]);
  expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(tested));
});

test('reads the refusals of the platform', async () => {
  const client = connect();
  await expect(client.messages.sendText({ ...to, to: '+447700900056', body: 'x' })).rejects.toMatchObject({
    code: 131056,
  });
  await expect(client.messages.sendText({ ...to, phoneNumberId: account, body: 'x' })).rejects.toMatchObject({
    code: 100,
    errorSubcode: 33,
  });
});

test('understands and trusts our webhooks', async () => {
  await world.receiver.waitFor(() => world.receiver.received.length > 0);
  const [first] = world.receiver.received;
  const rawBody = first?.raw ?? Buffer.alloc(0);
  const appSecret = 'sandbox-app-secret';
  expect(verifySignature({ appSecret, rawBody, signatureHeader: first?.signature ?? '' })).toBe(true);
  expect(verifySignature({ appSecret: 'wrong', rawBody, signatureHeader: first?.signature ?? '' })).toBe(
    false,
  );
  expect(normalizeWebhook(JSON.parse(rawBody.toString()))).toMatchObject({ phoneNumberId: number });
});
