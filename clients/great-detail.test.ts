import GreatDetail from '@great-detail/whatsapp';
import { expect, test } from 'vitest';
import { account, customer, methodsOf, number, passed, png, token, useWorld } from './world.ts';

const world = useWorld();
const connect = () =>
  new GreatDetail({
    baseUrl: world.base,
    graphVersion: 'v25.0',
    request: { headers: { Authorization: `Bearer ${token}` }, retry: 0 },
  });
type Client = ReturnType<typeof connect>;

/** What the platform documents, where the types of the client are narrower or wider than that. */
const documented = <Options>(value: unknown) => value as Options;

let made = 0;
async function makeTemplate(client: Client): Promise<{ id: string; name: string }> {
  const name = `made_${made++}`;
  const components = [{ type: 'BODY', text: 'Thank you for your visit' }];
  const values = documented<Parameters<Client['template']['create']>[1]>({
    name,
    language: 'en_US',
    category: 'MARKETING',
    components,
  }); // the platform's own shape
  const answer = (await client.template.create(account, values).json()) as { id: string };
  return { id: answer.id, name };
}

const upload = async (client: Client) =>
  (await client.media
    .upload({
      phoneNumberID: number,
      file: new Blob([png], { type: 'image/png' }),
      filename: 'a.png',
      mimeType: 'image/png',
    })
    .json()) as { id: string };

const calls: Record<string, Record<string, (client: Client) => Promise<void>>> = {
  message: {
    createMessage: async (client) => {
      const text = documented<Parameters<Client['message']['createMessage']>[0]>({
        ...{ phoneNumberID: number, to: customer, type: 'text', text: { body: 'Hello' } },
      });
      expect(await client.message.createMessage(text).json()).toMatchObject({
        messages: [{ id: expect.any(String) }],
      });
    },
    createStatus: async (client) => {
      const read = {
        phoneNumberID: number,
        message_id: world.written,
        status: 'read',
        typing_indicator: { type: 'text' },
      } as const;
      expect(await client.message.createStatus(read).json()).toEqual({ success: true });
    },
  },
  media: {
    upload: async (client) => expect(await upload(client)).toEqual({ id: expect.any(String) }),
    getURL: async (client) => {
      const shown = await client.media.getURL({ mediaID: world.picture, phoneNumberID: number }).json();
      expect(shown).toMatchObject({ id: world.picture, mime_type: 'image/png' });
    },
    download: async (client) => {
      const shown = (await client.media.getURL({ mediaID: world.picture }).json()) as { url: string };
      const file = await client.media.download({
        mediaURL: shown.url,
        request: { headers: { Authorization: `Bearer ${token}` } },
      });
      expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
    },
    delete: async (client) => {
      const { id } = await upload(client);
      expect(await client.media.delete({ mediaID: id }).json()).toEqual({ success: true });
    },
  },
  template: {
    create: async (client) => expect(await makeTemplate(client)).toMatchObject({ id: expect.any(String) }),
    get: async (client) => {
      const { id, name } = await makeTemplate(client);
      expect(
        await client.template.get(id, { fields: ['name', 'status', 'components'] }).json(),
      ).toMatchObject({ id, name });
    },
    list: async (client) => {
      const { name } = await makeTemplate(client);
      const options = {
        name_or_content: name,
        category: ['MARKETING', 'UTILITY'],
        status: ['PENDING', 'APPROVED'],
        language: ['en_US'],
        limit: 5,
        fields: ['id', 'name'],
      };
      expect(
        await client.template
          .list(account, documented<Parameters<Client['template']['list']>[1]>(options))
          .json(),
      ).toMatchObject({ data: [{ name }] });
    },
    listLibrary: async (client) => {
      expect(await client.template.listLibrary({ search: 'payment', limit: 3 }).json()).toMatchObject({
        data: [{ body: expect.any(String) }],
      });
    },
    update: async (client) => {
      const { id } = await makeTemplate(client);
      await expect
        .poll(() => client.template.get(id, { fields: ['status'] }).json())
        .toMatchObject({ status: 'APPROVED' });
      const change = documented<Parameters<Client['template']['update']>[1]>({
        components: [{ type: 'BODY', text: 'Thank you for coming' }],
      });
      expect(await client.template.update(id, change).json()).toMatchObject({ success: true });
    },
    delete: async (client) => {
      const { name, id } = await makeTemplate(client);
      expect(await client.template.delete(account, { name, hsm_id: id }).json()).toEqual({ success: true });
    },
  },
  phoneNumbers: {
    getPhoneNumber: async (client) => {
      const fields = [
        'id',
        'display_phone_number',
        ['throughput', ['level']],
        ['conversational_automation', ['prompts']],
        'health_status',
      ];
      const options = documented<Parameters<Client['phoneNumbers']['getPhoneNumber']>[0]>({
        phoneNumberID: number,
        fields,
      });
      expect(await client.phoneNumbers.getPhoneNumber(options).json()).toMatchObject({
        id: number,
        throughput: { level: 'STANDARD' },
      });
    },
    listPhoneNumbers: async (client) => {
      const options = documented<Parameters<Client['phoneNumbers']['listPhoneNumbers']>[0]>({
        businessAccountID: account,
        fields: ['id', 'status'],
      });
      expect(await client.phoneNumbers.listPhoneNumbers(options).json()).toMatchObject({
        data: [{ id: number, status: 'CONNECTED' }],
      });
    },
    updatePhoneNumber: async (client) => {
      expect(
        await client.phoneNumbers
          .updatePhoneNumber({ phoneNumberID: number, new_display_name: 'Better Shop' })
          .json(),
      ).toEqual({ success: true });
    },
  },
  businessProfile: {
    getBusinessProfile: async (client) => {
      const options = documented<Parameters<Client['businessProfile']['getBusinessProfile']>[0]>({
        phoneNumberID: number,
        fields: ['about', 'websites'],
      });
      expect(await client.businessProfile.getBusinessProfile(options).json()).toMatchObject({
        data: [{ messaging_product: 'whatsapp' }],
      });
    },
    updateBusinessProfile: async (client) => {
      expect(
        await client.businessProfile.updateBusinessProfile({ phoneNumberID: number, about: 'New' }).json(),
      ).toEqual({ success: true });
    },
  },
  conversationalAutomation: {
    setConversationalAutomation: async (client) => {
      const commands = [{ command_name: 'hours', command_description: 'When we are open' }];
      const options = { phoneNumberID: number, enable_welcome_message: true, prompts: ['Hours?'], commands };
      expect(await client.conversationalAutomation.setConversationalAutomation(options).json()).toEqual({
        success: true,
      });
    },
  },
  subscribedApps: {
    createSubscription: async (client) => {
      const options = {
        businessAccountID: account,
        override_callback_uri: world.receiver.url,
        verify_token: 'sandbox-verify-token',
      };
      expect(await client.subscribedApps.createSubscription(options).json()).toEqual({ success: true });
    },
    listSubscriptions: async (client) => {
      expect(
        await client.subscribedApps.listSubscriptions({ businessAccountID: account }).json(),
      ).toMatchObject({
        data: [{ whatsapp_business_api_data: { id: '300000000000001' } }],
      });
    },
  },
  whatsappBusinessAccount: {
    get: async (client) => {
      const fields = ['id', 'name', 'currency', 'health_status', 'owner_business_info'];
      const options = documented<Parameters<Client['whatsappBusinessAccount']['get']>[1]>({ fields });
      expect(await client.whatsappBusinessAccount.get(account, options).json()).toMatchObject({
        id: account,
        currency: 'USD',
      });
    },
  },
};

test.each(
  Object.entries(calls).flatMap(([part, list]) => Object.keys(list).map((name) => [part, name] as const)),
)('%s.%s', async (part, name) => {
  await expect(passed(calls[part]?.[name]?.(connect()))).resolves.toBe(true);
});

test('every call of the client has a test', () => {
  const client = connect();
  const parts = Object.entries(client).filter(([name]) => !name.startsWith('_') && name !== 'webhook');
  const offered = parts.map(([name, part]) => [
    name,
    methodsOf(Object.getPrototypeOf(part), ['getEndpoint']).sort(),
  ]);
  expect(Object.fromEntries(offered)).toEqual(
    Object.fromEntries(Object.entries(calls).map(([part, list]) => [part, Object.keys(list).sort()])),
  );
});

test('hears the refusals of the platform', async () => {
  const asked = connect().phoneNumbers.getPhoneNumber({ phoneNumberID: number, fields: ['nothing' as 'id'] });
  await expect(asked).rejects.toMatchObject({ response: { status: 400 } });
});

test('understands and trusts our webhooks', async () => {
  await world.receiver.waitFor(() => world.receiver.received.length > 0);
  const [first] = world.receiver.received;
  const event = await connect().webhook.eventNotification({
    ...{ method: 'POST', query: {}, body: first?.raw.toString() ?? '' },
    headers: { 'x-hub-signature-256': first?.signature ?? '' },
  });
  expect(await event.signature.sha256.check('sandbox-app-secret')).toBe(true);
});
