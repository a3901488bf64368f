import { expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import * as message from 'whatsapp-api-js/messages';
import { customer, methodsOf, number, passed, png, token, useWorld } from './world.ts';

const world = useWorld();

function connect(): WhatsAppAPI<unknown> {
  return new WhatsAppAPI({
    ...{ token, appSecret: 'sandbox-app-secret', webhookVerifyToken: 'sandbox-verify-token', v: 'v25.0' },
    ponyfill: {
      fetch: (url, options) =>
        fetch(new Request(url).url.replace('https://graph.facebook.com', world.base), options),
    },
  });
}

const product = () => new message.Product('SKU1');
const section = () => new message.ProductSection('Hot', product());
const catalogProduct = () => new message.CatalogProduct('SKU1', '6000');
const body = () => new message.Body('Choose');

/** Every kind of message that the library builds. */
const messages: Record<string, () => object> = {
  text: () => new message.Text('Hello', true),
  image: () => new message.Image(world.picture, true, 'Look'),
  'image by link': () => new message.Image('https://cdn.example/a.png'),
  video: () => new message.Video('https://cdn.example/a.mp4', false, 'Look'),
  audio: () => new message.Audio('https://cdn.example/a.ogg', false, true),
  document: () => new message.Document('https://cdn.example/a.pdf', false, 'Invoice', 'a.pdf'),
  sticker: () => new message.Sticker('https://cdn.example/a.webp'),
  location: () => new message.Location(-0.12, 51.5, 'Shop', '1 High St'),
  reaction: () => new message.Reaction(world.written, '👍'),
  'reaction taken back': () => new message.Reaction(world.written),
  contacts: () =>
    new message.Contacts([
      new message.Name('Ann Lee', 'Ann', 'Lee'),
      new message.Phone('+447700900300', 'WORK', '447700900300'),
      new message.Email('ann@example.com', 'WORK'),
      new message.Organization('Acme', 'Sales', 'Lead'),
      new message.Url('https://example.com', 'WORK'),
      new message.Address('United Kingdom', 'gb', '', 'London', '1 High St', 'N1', 'WORK'),
      new message.Birthday('1990', '01', '31'),
    ]),
  buttons: () =>
    new message.Interactive(
      new message.ActionButtons(new message.Button('keep', 'Keep'), new message.Button('move', 'Move')),
      body(),
      new message.Header('Friday'),
      new message.Footer('Shop'),
    ),
  list: () =>
    new message.Interactive(
      new message.ActionList(
        'Options',
        new message.ListSection('Fast', new message.Row('1', 'Today', 'before 8 pm')),
      ),
      body(),
    ),
  catalog: () => new message.Interactive(new message.ActionCatalog(product()), body()),
  product: () => new message.Interactive(new message.ActionProduct(catalogProduct()), body()),
  products: () =>
    new message.Interactive(
      new message.ActionProductList('6000', section()),
      body(),
      new message.Header('Menu'),
    ),
  link: () => new message.Interactive(new message.ActionCTA('Pay', 'https://pay.example/1'), body()),
  flow: () =>
    new message.Interactive(new message.ActionNavigateFlow('t', '1', 'Book', 'START', { a: 1 }), body()),
  'flow with data': () =>
    new message.Interactive(new message.ActionDataExchangeFlow('t', '1', 'Book'), body()),
  'location request': () => new message.Interactive(new message.ActionLocation(), body()),
  'call permission': () => new message.Interactive(new message.ActionCallPermission(), body()),
  'contact request': () => new message.Interactive(new message.ActionContactRequest(), body()),
  template: () => new message.Template('hello_world', 'en_US'),
};

test.each(Object.keys(messages))('sends %s', async (name) => {
  const built = messages[name]?.() as Parameters<WhatsAppAPI['sendMessage']>[2]; // each row builds one
  expect(await connect().sendMessage(number, customer, built, undefined, 'tag')).toMatchObject({
    contacts: [{ input: customer, wa_id: '447700900201' }],
    messages: [{ id: expect.stringMatching(/^wamid\./) }],
  });
});

test('sends to a user id, to many, and as an answer', async () => {
  const api = connect();
  expect(await api.sendMessage(number, 'GB.123', new message.Text('Hi'))).toMatchObject({
    contacts: [{ user_id: 'GB.123' }],
  });
  expect(await api.sendMessage(number, customer, new message.Text('Hi'), world.written)).toMatchObject({
    messages: [{}],
  });
  const people = ['+447700900202', '+447700900203'];
  expect(await Promise.all(api.broadcastMessage(number, people, new message.Text('Hi'), 2, 0))).toMatchObject(
    [{ messages: [{}] }, { messages: [{}] }],
  );
});

test('sends templates with cards, offers, coupons and products', async () => {
  const { started } = world;
  const session = await started.graph('POST', `300000000000001/uploads?file_length=1&file_type=image/png`);
  const handle = String((await started.graph('POST', String(session.at('id')), 'x')).at('h'));
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } };
  const text = { type: 'BODY', text: 'Our offers of the week' };
  const make = (name: string, components: object[]) =>
    started.graph('POST', '100000000000001/message_templates', {
      name,
      language: 'en_US',
      category: 'MARKETING',
      components,
    });
  const card = {
    components: [header, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] }],
  };
  await make('cards', [text, { type: 'CAROUSEL', cards: [card, card] }]);
  await make('offer', [
    ...[
      header,
      text,
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
    ],
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE20' }] },
  ]);
  await make('products', [text, { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] }]);
  await expect
    .poll(async () =>
      (await started.graph('GET', '100000000000001/message_templates?status=APPROVED')).at('data'),
    )
    .toHaveLength(4);

  const image = new message.Image(world.picture, true);
  const more = () => new message.PayloadComponent('more');
  const templates = [
    new message.Template(
      'cards',
      'en_US',
      new message.CarouselComponent(
        new message.CarouselCard(image, more()),
        new message.CarouselCard(image, more()),
      ),
    ),
    new message.Template(
      'offer',
      'en_US',
      new message.HeaderComponent(new message.HeaderParameter(image)),
      new message.LTOComponent(Date.now() + 3_600_000),
      new message.CopyComponent('SAVE20'),
    ),
    new message.Template('products', 'en_US', new message.MPMComponent(product(), section())),
  ];
  for (const template of templates)
    expect(await connect().sendMessage(number, customer, template)).toMatchObject({
      messages: [{ message_status: 'accepted' }],
    });
});

const calls: Record<string, (api: WhatsAppAPI<unknown>) => Promise<void>> = {
  markAsRead: async (api) => {
    expect(await api.markAsRead(number, world.written, 'text')).toEqual({ success: true });
  },
  createQR: async (api) => {
    expect(await api.createQR(number, 'Hello', 'png')).toMatchObject({
      prefilled_message: 'Hello',
      qr_image_url: expect.any(String),
    });
  },
  retrieveQR: async (api) => {
    expect(await api.retrieveQR(number)).toMatchObject({ data: expect.any(Array) });
    const made = (await api.createQR(number, 'Hello', 'svg')) as { code: string };
    expect(await api.retrieveQR(number, made.code)).toMatchObject({
      data: [{ code: made.code, prefilled_message: 'Hello' }],
    });
  },
  updateQR: async (api) => {
    const made = (await api.createQR(number, 'Hello')) as { code: string };
    expect(await api.updateQR(number, made.code, 'Bye')).toMatchObject({
      code: made.code,
      prefilled_message: 'Bye',
    });
  },
  deleteQR: async (api) => {
    const made = (await api.createQR(number, 'Hello')) as { code: string };
    expect(await api.deleteQR(number, made.code)).toEqual({ success: true });
    expect(await api.deleteQR(number, made.code)).toMatchObject({ error: { code: 100 } });
  },
  uploadMedia: async (api) => {
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'a.png');
    expect(await api.uploadMedia(number, form)).toMatchObject({ id: expect.any(String) });
  },
  retrieveMedia: async (api) => {
    expect(await api.retrieveMedia(world.picture, number)).toMatchObject({
      mime_type: 'image/png',
      url: expect.any(String),
    });
  },
  fetchMedia: async (api) => {
    const { url } = (await api.retrieveMedia(world.picture)) as { url: string };
    expect(Buffer.from(await (await api.fetchMedia(url)).arrayBuffer())).toEqual(png);
  },
  deleteMedia: async (api) => {
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'a.png');
    const { id } = (await api.uploadMedia(number, form)) as { id: string };
    expect(await api.deleteMedia(id, number)).toEqual({ success: true });
    expect(await api.retrieveMedia(id)).toMatchObject({ error: { code: 100 } });
  },
  blockUser: async (api) => {
    expect(await api.blockUser(number, '+447700900299', 'GB.299')).toMatchObject({
      block_users: { added_users: [{ wa_id: '447700900299' }, { user_id: 'GB.299' }] },
    });
  },
  unblockUser: async (api) => {
    expect(await api.unblockUser(number, '+447700900299')).toMatchObject({
      block_users: { removed_users: [{ wa_id: '447700900299' }] },
    });
  },
  initiateCall: async (api) => refusedCall(api.initiateCall(number, customer, 'sdp')),
  preacceptCall: async (api) => refusedCall(api.preacceptCall(number, 'wacid.1', 'sdp')),
  acceptCall: async (api) => refusedCall(api.acceptCall(number, 'wacid.1', 'sdp')),
  rejectCall: async (api) => refusedCall(api.rejectCall(number, 'wacid.1')),
  terminateCall: async (api) => refusedCall(api.terminateCall(number, 'wacid.1')),
};

async function refusedCall(call: Promise<unknown>): Promise<void> {
  expect(await call).toMatchObject({ error: { code: 138000, fbtrace_id: expect.any(String) } });
}

test.each(Object.keys(calls))('%s', async (name) => {
  await expect(passed(calls[name]?.(connect()))).resolves.toBe(true);
});

test('every call of the library has a test', () => {
  const helpers = ['verifyRequestSignature', 'getBody', 'sendMessage', 'broadcastMessage', 'get', 'post'];
  expect(methodsOf(WhatsAppAPI.prototype, helpers).sort()).toEqual(Object.keys(calls).sort());
});

test('understands and trusts our webhooks', async () => {
  const api = connect();
  const heard: unknown[] = [];
  api.on.message = ({ message: written, name }) => heard.push([name, written.type]);
  api.on.status = ({ status }) => heard.push(status);
  await world.receiver.waitFor(() => world.receiver.received.length > 2);
  for (const { raw, signature, at } of world.receiver.received) {
    if (at('entry.0.changes.0.field') === 'messages')
      await api.post(JSON.parse(raw.toString()), raw.toString(), signature);
  }
  expect(heard).toContainEqual(['Ann', 'text']);
  expect(heard).toContain('sent');
  const challenge = {
    'hub.mode': 'subscribe',
    'hub.verify_token': 'sandbox-verify-token',
    'hub.challenge': '42',
  } as const;
  expect(api.get(challenge)).toBe('42');
});
