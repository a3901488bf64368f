import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import {
  account,
  number,
  offer,
  offerParameters,
  startReceiver,
  startSandbox,
  templateTo,
  waitFor,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;
beforeEach(async () => {
  receiver = await startReceiver();
  started = await startSandbox({ whatsappCallbackUrl: receiver.url });
});
afterEach(async () => {
  await started.close();
  await receiver.close();
});

const templates = `${account}/message_templates`;
const create = (template: JsonObject) => started.graph('POST', templates, template);
const send = (name: string, components: JsonObject[] = []) =>
  started.graph('POST', `${number}/messages`, templateTo('+447700900201', name, components));
const statusOf = (name: string) =>
  started.sandbox.whatsapp.store.findTemplate(account, name, 'en_US')?.status;
const reviewed = (name: string) => waitFor(() => statusOf(name) !== 'PENDING');
const body = (text: string, examples: string[] = []): JsonObject => ({
  ...{ type: 'BODY', text },
  ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}),
});
const draft = (...components: JsonObject[]): JsonObject => ({
  ...{ name: 'a_name', language: 'en_US', category: 'UTILITY' },
  components,
});
const quick = (text: string): JsonObject => ({ type: 'QUICK_REPLY', text });

test('a template is pending, then approved by webhook with an integer id', async () => {
  const created = await create(offer);
  expect(created.body).toEqual({
    id: expect.stringMatching(/^7\d{14}$/),
    status: 'PENDING',
    category: 'MARKETING',
  });
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.at('entry.0.time')).toEqual(expect.any(Number));
  expect(receiver.received[0]?.at('entry.0.changes.0')).toMatchObject({
    field: 'message_template_status_update',
    value: {
      event: 'APPROVED',
      message_template_id: Number(created.at('id')),
      message_template_language: 'en-US',
      reason: 'NONE',
    },
  });
});

test.each([
  ['offer_reject', 'UTILITY', 'REJECTED', 'UTILITY'],
  ['offer_promo', 'UTILITY', 'APPROVED', 'MARKETING'],
  ['offer_slow', 'UTILITY', 'PENDING', 'UTILITY'],
])('the name %s decides the review', async (name, category, status, reviewedAs) => {
  const { at } = await create({ ...offer, name, category });
  if (status === 'PENDING') await new Promise((resolve) => setTimeout(resolve, 60));
  else await reviewed(name);
  const shown = await started.graph('GET', `${String(at('id'))}?fields=status,category,rejected_reason`);
  expect(shown.body).toMatchObject({ status, category: reviewedAs });
});

test('a template with _pause is paused after five sends', async () => {
  await create({ ...offer, name: 'offer_pause' });
  await reviewed('offer_pause');
  for (let i = 0; i < 5; i++) expect((await send('offer_pause', offerParameters)).status).toBe(200);
  expect((await send('offer_pause', offerParameters)).at('error.code')).toBe(132015);
});

test.each<[string, JsonObject, number | undefined]>([
  ['a name with capitals', { ...draft(body('Hello')), name: 'My Name' }, undefined],
  ['an unknown category', { ...draft(body('Hello')), category: 'NEWS' }, undefined],
  ['an odd language', { ...draft(body('Hello')), language: 'english' }, undefined],
  ['no body', draft({ type: 'FOOTER', text: 'x' }), 2388072],
  ['a body of 1025 characters', draft(body('x'.repeat(1025))), 2388040],
  [
    'a header of 61 characters',
    draft({ type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }, body('Hello')),
    2388040,
  ],
  ['a footer with a variable', draft(body('Hello'), { type: 'FOOTER', text: 'Hi {{1}}' }), 2388073],
  ['a variable at the end', draft(body('Hello {{1}}', ['a'])), 2388299],
  ['a gap in the numbers', draft(body('Hello {{1}} and {{3}} there', ['a', 'b'])), 2388072],
  ['a variable without example', draft(body('Hello {{1}} there')), 2388043],
  [
    'too many variables for the text',
    draft(body('a {{1}} {{2}} {{3}} {{4}} b', ['1', '2', '3', '4'])),
    2388293,
  ],
  [
    'eleven buttons',
    draft(body('Hello'), { type: 'BUTTONS', buttons: Array.from({ length: 11 }, () => quick('x')) }),
    2388040,
  ],
  [
    'a button of 26 characters',
    draft(body('Hello'), { type: 'BUTTONS', buttons: [quick('x'.repeat(26))] }),
    2388040,
  ],
  [
    'quick replies apart',
    draft(body('Hello'), {
      ...{
        type: 'BUTTONS',
        buttons: [quick('a'), { type: 'URL', text: 'b', url: 'https://b.example' }, quick('c')],
      },
    }),
    undefined,
  ],
  [
    'media without upload',
    draft({ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }, body('Hello')),
    2388273,
  ],
])('refuses %s', async (_name, template, subcode) => {
  const answer = await create(template);
  expect([answer.status, answer.at('error.code'), answer.at('error.error_subcode')]).toEqual([
    400,
    100,
    subcode,
  ]);
});

test('refuses the same name and language twice', async () => {
  await create(offer);
  expect((await create(offer)).at('error.error_subcode')).toBe(2388024);
  expect((await create({ ...offer, language: 'de' })).status).toBe(200);
});

test.each<[string, JsonObject[], number | undefined]>([
  ['the right parameter', offerParameters, undefined],
  ['no parameter', [], 132000],
  [
    'one too many',
    [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    132000,
  ],
  ['another type', [{ type: 'body', parameters: [{ type: 'image', image: { link: 'https://a' } }] }], 132012],
  [
    'a name in a numbered template',
    [{ type: 'body', parameters: [{ type: 'text', text: 'a', parameter_name: 'x' }] }],
    132012,
  ],
  ['a new line', [{ type: 'body', parameters: [{ type: 'text', text: 'a\nb' }] }], 132018],
  [
    'a text that is too long',
    [{ type: 'body', parameters: [{ type: 'text', text: 'x'.repeat(1020) }] }],
    132005,
  ],
  [
    'a button that is not there',
    [
      ...offerParameters,
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'a' }] },
    ],
    132018,
  ],
])('sending with %s', async (_name, components, code) => {
  await create({ ...offer, components: [...offer.components, { type: 'FOOTER', text: 'Bye' }] });
  await reviewed(offer.name);
  expect((await send(offer.name, components)).at('error.code')).toBe(code);
});

test('named parameters need their names', async () => {
  await create({
    ...{ name: 'named', language: 'en_US', category: 'utility', parameter_format: 'named' },
    components: [
      {
        ...{ type: 'body', text: 'Hello {{first_name}}, welcome.' },
        example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ann' }] },
      },
    ],
  });
  await reviewed('named');
  const parameters = (parameter: JsonObject) => [
    { type: 'body', parameters: [{ type: 'text', text: 'Ann', ...parameter }] },
  ];
  expect((await send('named', parameters({ parameter_name: 'first_name' }))).status).toBe(200);
  expect((await send('named', parameters({}))).at('error.code')).toBe(132012);
  expect((await send('named', parameters({ parameter_name: 'other' }))).at('error.code')).toBe(132018);
});

test('status, quality and category can be changed by hand', async () => {
  const id = String((await create(offer)).at('id'));
  await reviewed(offer.name);
  await started.control('POST', `whatsapp/templates/${id}`, {
    status: 'DISABLED',
    quality: 'RED',
    category: 'UTILITY',
  });
  expect((await send(offer.name, offerParameters)).at('error.code')).toBe(132016);
  await waitFor(() => receiver.received.length === 4);
  const fields = receiver.received.map(({ at }) => at('entry.0.changes.0.field'));
  expect(fields).toEqual(
    expect.arrayContaining([
      'message_template_status_update',
      'message_template_quality_update',
      'template_category_update',
    ]),
  );
});

test('lists with filters and pages, edits once a day, deletes every language of a name', async () => {
  const id = String((await create(offer)).at('id'));
  await create({ ...offer, language: 'de' });
  await reviewed(offer.name);
  const first = await started.graph('GET', `${templates}?limit=2&fields=name,language&summary=total_count`);
  expect(first.at('summary.total_count')).toBe(3);
  const next = await fetch(String(first.at('paging.next')), {
    headers: { authorization: 'Bearer sandbox-access-token' },
  });
  expect(await next.json()).toMatchObject({ data: [{ name: offer.name, language: 'de' }] });
  expect(
    (await started.graph('GET', `${templates}?status=APPROVED&language=en_US&name=spring`)).at('data'),
  ).toHaveLength(1);
  const components = [{ type: 'BODY', text: 'Hello {{1}}, last day.', example: { body_text: [['Ann']] } }];
  expect((await started.graph('POST', id, { components })).body).toEqual({ success: true });
  await reviewed(offer.name);
  expect((await started.graph('POST', id, { components })).status).toBe(400);
  expect((await started.graph('DELETE', `${templates}?name=${offer.name}`)).body).toEqual({ success: true });
  expect((await started.graph('GET', templates)).at('data')).toMatchObject([{ name: 'hello_world' }]);
  expect((await create(offer)).at('error.error_subcode')).toBe(2388023);
  expect((await started.graph('DELETE', `${templates}?name=${offer.name}`)).status).toBe(400);
});

test('a paused template can be unpaused', async () => {
  const id = String((await create(offer)).at('id'));
  await reviewed(offer.name);
  await started.control('POST', `whatsapp/templates/${offer.name}`, { status: 'PAUSED' });
  expect((await started.graph('POST', `${id}/unpause`)).body).toEqual({ success: true });
  expect((await send(offer.name, offerParameters)).status).toBe(200);
});
