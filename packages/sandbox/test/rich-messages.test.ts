import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import {
  account,
  app,
  number,
  startSandbox,
  templateTo,
  waitFor,
  type StartedSandbox,
} from './started-sandbox.ts';

let started: StartedSandbox;
let handle: string;
let picture: string;
beforeAll(async () => {
  started = await startSandbox({ behaviour: { windowError: 'off', pairLimit: false, templatesPerHour: 0 } });
  const session = await started.graph('POST', `${app}/uploads?file_length=4&file_type=image/png`);
  handle = String((await started.graph('POST', String(session.at('id')), 'abcd')).at('h'));
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('file', new Blob(['abcd'], { type: 'image/png' }), 'a.png');
  picture = String((await started.graph('POST', `${number}/media`, form)).at('id'));
});
afterAll(() => started.close());

let made = 0;
async function create(components: JsonObject[], category = 'MARKETING') {
  const name = `rich_${made++}`;
  const answer = await started.graph('POST', `${account}/message_templates`, {
    ...{ name, language: 'en_US', category, components },
  });
  return { name, answer, code: answer.at('error.code') as number | undefined };
}

async function createApproved(components: JsonObject[]): Promise<string> {
  const { name, answer } = await create(components);
  expect(answer.body).toMatchObject({ status: 'PENDING' });
  const id = String(answer.at('id'));
  await waitFor(async () => (await started.graph('GET', `${id}?fields=status`)).at('status') === 'APPROVED');
  return name;
}

async function sendTemplate(name: string, components: JsonObject[]): Promise<number> {
  const answer = await started.graph(
    'POST',
    `${number}/messages`,
    templateTo('+447700900201', name, components),
  );
  return answer.status === 200 ? 200 : Number(answer.at('error.code'));
}

const header = () => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } });
const body = { type: 'BODY', text: 'Our offers of the week' };
const reply = { type: 'QUICK_REPLY', text: 'Tell me more' };
const link = { type: 'URL', text: 'Look', url: 'https://shop.example/{{1}}', example: ['a'] };
const cardOf = (...parts: JsonObject[]) => ({ components: parts });
const card = () =>
  cardOf(
    header(),
    { type: 'BODY', text: 'Hello {{1}}, look', example: { body_text: [['Ann']] } },
    { type: 'BUTTONS', buttons: [reply, link] },
  );
const carousel = (...cards: JsonObject[]) => ({ type: 'CAROUSEL', cards });
const cardsFilled = (change: (card: JsonObject, index: number) => JsonObject = (card) => card) => ({
  type: 'carousel',
  cards: [0, 1].map((index) =>
    change(
      {
        card_index: index,
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { id: picture } }] },
          { type: 'body', parameters: [{ type: 'text', text: 'Ann' }] },
          {
            type: 'button',
            sub_type: 'quick_reply',
            index: 0,
            parameters: [{ type: 'payload', payload: 'x' }],
          },
          { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: 'a' }] },
        ],
      },
      index,
    ),
  ),
});
const partsOf = (card: JsonObject) => card['components'] as JsonObject[]; // made above

test('a carousel is made of like cards', async () => {
  const name = await createApproved([body, carousel(card(), card())]);
  const shown = await started.graph('GET', `${account}/message_templates?name=${name}`);
  expect(shown.at('data.0.components.1.cards.0.components.0.example.header_handle.0')).toMatch(/^http/);
  const bare = cardOf(header(), { type: 'BUTTONS', buttons: [reply] });
  for (const [components, why] of [
    [[body, carousel()], 'no card'],
    [[body, carousel(...Array.from({ length: 11 }, card))], 'eleven cards'],
    [[body, carousel(card(), bare)], 'unlike cards'],
    [[body, carousel(cardOf({ type: 'BUTTONS', buttons: [reply] }))], 'no header'],
    [[body, carousel(cardOf(header()))], 'no button'],
    [
      [body, carousel(cardOf(header(), { type: 'BUTTONS', buttons: [reply, reply, reply] }))],
      'three buttons',
    ],
    [
      [
        body,
        carousel(
          cardOf(header(), { type: 'BODY', text: 'x'.repeat(161) }, { type: 'BUTTONS', buttons: [reply] }),
        ),
      ],
      'long text',
    ],
    [
      [body, carousel(cardOf({ ...header(), example: {} }, { type: 'BUTTONS', buttons: [reply] }))],
      'no sample',
    ],
    [
      [
        body,
        carousel(
          cardOf(header(), { type: 'BODY', text: 'Hi {{1}} you' }, { type: 'BUTTONS', buttons: [reply] }),
        ),
      ],
      'no example',
    ],
    [[body, { type: 'FOOTER', text: 'x' }, carousel(card())], 'a footer'],
    [[carousel(card())], 'no body'],
  ] as const)
    expect([why, (await create([...components])).code]).toEqual([why, 100]);
});

test('a carousel is sent with every card filled', async () => {
  const name = await createApproved([body, carousel(card(), card())]);
  const changed = (position: number, part: JsonObject | undefined) =>
    cardsFilled((card) => ({
      ...card,
      components: partsOf(card).flatMap((own, at) => (at === position ? (part ? [part] : []) : [own])),
    }));
  expect(await sendTemplate(name, [cardsFilled()])).toBe(200);
  for (const [components, code] of [
    [[], 132000],
    [[{ ...cardsFilled(), cards: cardsFilled().cards.slice(1) }], 132000],
    [[cardsFilled((card) => ({ ...card, card_index: 0 }))], 132018],
    [[cardsFilled((card, index) => ({ ...card, card_index: index + 1 }))], 132018],
    [[changed(0, undefined)], 132012],
    [[changed(0, { type: 'header', parameters: [{ type: 'video', video: { id: picture } }] })], 132012],
    [[changed(0, { type: 'header', parameters: [{ type: 'image', image: { id: '1' } }] })], 131009],
    [[changed(1, undefined)], 132000],
    [[changed(1, { type: 'body', parameters: [{ type: 'text', text: 'a\nb' }] })], 132018],
    [[changed(3, undefined)], 131008],
    [[changed(2, { type: 'button', sub_type: 'url', index: 0, parameters: [] })], 132018],
    [
      [changed(2, { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: 'b' }] })],
      132018,
    ],
    [[cardsFilled(), { type: 'nothing' }], 100],
  ] as const)
    expect([code, await sendTemplate(name, [...components])]).toEqual([code, code]);
});

const copyCode = { type: 'COPY_CODE', example: 'SAVE20' };
const limited = (values: JsonObject = { text: 'Ends soon', has_expiration: true }) => ({
  ...{ type: 'LIMITED_TIME_OFFER', limited_time_offer: values },
});
const shop = { type: 'URL', text: 'Shop', url: 'https://shop.example/' };
const buttons = (...list: JsonObject[]) => ({ type: 'BUTTONS', buttons: list });

test('a limited-time offer has its own rules', async () => {
  const name = await createApproved([header(), body, limited(), buttons(copyCode, shop)]);
  const picturePart = { type: 'header', parameters: [{ type: 'image', image: { id: picture } }] };
  const coupon = (text: unknown, type = 'coupon_code') => ({
    ...{ type: 'button', sub_type: 'copy_code', index: 0, parameters: [{ type, coupon_code: text }] },
  });
  const ends = (at: unknown) => ({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: at } }],
  });
  const later = Date.now() + 3_600_000;
  expect(await sendTemplate(name, [picturePart, ends(later), coupon('SAVE20')])).toBe(200);
  for (const [components, code] of [
    [[picturePart, coupon('SAVE20')], 131008],
    [[picturePart, ends(Math.floor(later / 1000)), coupon('SAVE20')], 132018],
    [[picturePart, ends('soon'), coupon('SAVE20')], 132018],
    [
      [picturePart, { type: 'limited_time_offer', parameters: [{ type: 'text', text: 'x' }] }, coupon('A')],
      132012,
    ],
    [[picturePart, ends(later)], 131008],
    [[picturePart, ends(later), coupon('')], 131008],
    [[picturePart, ends(later), coupon('SAVE 20!')], 132018],
    [[picturePart, ends(later), coupon('A'.repeat(16))], 132018],
    [[picturePart, ends(later), coupon('A', 'text')], 132012],
  ] as const)
    expect([code, await sendTemplate(name, [...components])]).toEqual([code, code]);
  expect(await sendTemplate('hello_world', [ends(later)])).toBe(132018);
  for (const [components, why] of [
    [[body, limited({ text: 'x'.repeat(17) }), buttons(shop)], 'long text'],
    [[body, limited(), buttons(shop)], 'no code button'],
    [[body, limited(), buttons(shop, copyCode)], 'code button not first'],
    [[body, limited(), { type: 'FOOTER', text: 'x' }, buttons(copyCode)], 'a footer'],
    [[{ type: 'HEADER', format: 'TEXT', text: 'x' }, body, limited(), buttons(copyCode)], 'a text header'],
    [[{ ...body, text: 'x'.repeat(601) }, limited(), buttons(copyCode)], 'long body'],
    [[body, buttons({ type: 'COPY_CODE', example: 'A'.repeat(16) })], 'long coupon'],
  ] as const)
    expect([why, (await create([...components])).code]).toEqual([why, 100]);
  expect((await create([body, limited(), buttons(copyCode)], 'UTILITY')).code).toBe(100);
});

test('a multi-product template needs its products', async () => {
  const several = { type: 'MPM', text: 'View items' };
  const name = await createApproved([
    { type: 'HEADER', format: 'TEXT', text: 'Our menu' },
    body,
    buttons(several),
  ]);
  const products = (sections: unknown, thumbnail: unknown = 'SKU1') => ({
    ...{ type: 'button', sub_type: 'mpm', index: 0 },
    parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: thumbnail, sections } }],
  });
  const section = (title?: string, count = 1) => ({
    title,
    product_items: Array.from({ length: count }, (_, at) => ({ product_retailer_id: `SKU${at}` })),
  });
  expect(await sendTemplate(name, [products([section('Hot'), section('Cold')])])).toBe(200);
  for (const [components, code] of [
    [[], 131008],
    [[products([])], 131008],
    [[products([section('Hot')], null)], 131008],
    [[products([section('Hot'), section()])], 131008],
    [[products([section('x'.repeat(25))])], 131009],
    [[products([section('Hot', 31)])], 131009],
    [[products([section('Hot', 0)])], 131008],
    [[products(Array.from({ length: 11 }, () => section('Hot')))], 131009],
  ] as const)
    expect([code, await sendTemplate(name, [...components])]).toEqual([code, code]);
  expect((await create([body, buttons(several, shop)])).code).toBe(100);
  expect((await create([header(), body, buttons(several)])).code).toBe(100);
  expect((await create([body, buttons(several)], 'UTILITY')).code).toBe(100);
});

const interactive = async (content: JsonObject) => {
  const message = {
    messaging_product: 'whatsapp',
    to: '+447700900201',
    type: 'interactive',
    interactive: content,
  };
  const answer = await started.graph('POST', `${number}/messages`, message);
  return answer.status === 200 ? 200 : answer.at('error.code');
};
const shopCard = (index: number, change: JsonObject = {}) => ({
  card_index: index,
  type: 'cta_url',
  header: { type: 'image', image: { id: picture } },
  body: { text: `Deal ${index}` },
  action: { name: 'cta_url', parameters: { display_text: 'Shop', url: 'https://shop.example/' } },
  ...change,
});
const withCards = (...cards: JsonObject[]) => ({
  type: 'carousel',
  body: { text: 'Offers' },
  action: { cards },
});

test('an interactive carousel is checked card by card', async () => {
  expect(await interactive(withCards(shopCard(0), shopCard(1)))).toBe(200);
  const replies = { action: { buttons: [{ type: 'quick_reply', quick_reply: { id: 'a', title: 'A' } }] } };
  expect(await interactive(withCards(shopCard(0, replies), shopCard(1, replies)))).toBe(200);
  const product = { type: 'product', action: { catalog_id: '1', product_retailer_id: 'SKU1' } };
  expect(await interactive(withCards({ card_index: 0, ...product }, { card_index: 1, ...product }))).toBe(
    200,
  );
  const second = (change: JsonObject) => withCards(shopCard(0), shopCard(1, change));
  for (const [content, code] of [
    [withCards(shopCard(0)), 131009],
    [withCards(...Array.from({ length: 11 }, (_, at) => shopCard(at))), 131009],
    [withCards(shopCard(0), shopCard(0)), 131009],
    [second({ card_index: undefined }), 131008],
    [second({ card_index: 5 }), 131009],
    [second({ header: undefined }), 131008],
    [second({ header: { type: 'text', text: 'x' } }), 131009],
    [second({ header: { type: 'video', video: { link: 'https://cdn.example/a.mp4' } } }), 131009],
    [second({ header: { type: 'image', image: { id: '1' } } }), 131009],
    [second({ body: { text: 'x'.repeat(161) } }), 131009],
    [second({ body: { text: 'a\nb\nc\nd' } }), 131009],
    [second({ action: undefined }), 131008],
    [
      second({
        action: { name: 'cta_url', parameters: { display_text: 'x'.repeat(21), url: 'https://a.example' } },
      }),
      131009,
    ],
    [second({ action: { name: 'cta_url', parameters: { display_text: 'x', url: 'nowhere' } } }), 131009],
    [second(replies), 131009],
    [{ ...withCards(shopCard(0), shopCard(1)), footer: { text: 'x' } }, 131009],
    [{ ...withCards(shopCard(0), shopCard(1)), header: { type: 'text', text: 'x' } }, 131009],
  ] as const)
    expect([content, await interactive(content)]).toEqual([content, code]);
});

test('an address is asked for in India only; products need a catalogue', async () => {
  const address = (parameters: JsonObject | undefined) => ({
    ...{
      type: 'address_message',
      body: { text: 'Where to?' },
      action: { name: 'address_message', parameters },
    },
  });
  expect(await interactive(address({ country: 'IN', values: { name: 'Ann' } }))).toBe(200);
  expect(await interactive(address({ country: 'GB' }))).toBe(131009);
  expect(await interactive(address(undefined))).toBe(131008);
  const list = (action: JsonObject) => ({
    ...{ type: 'product_list', header: { type: 'text', text: 'Menu' }, body: { text: 'Pick' }, action },
  });
  const sections = [{ title: 'Hot', product_items: [{ product_retailer_id: 'SKU1' }] }];
  expect(await interactive(list({ catalog_id: '1', sections }))).toBe(200);
  expect(await interactive(list({ sections }))).toBe(131008);
  expect(
    await interactive(list({ catalog_id: '1', sections: [{ title: 'Hot', product_items: [{}] }] })),
  ).toBe(131008);
  expect(
    await interactive({ type: 'location_request_message', body: { text: 'x' }, action: { name: 'other' } }),
  ).toBe(131009);
});
