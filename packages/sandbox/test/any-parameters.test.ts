import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edges, type NodeKind } from '../src/whatsapp-cloud/edges.ts';
import { account, app, number, startSandbox, type StartedSandbox } from './started-sandbox.ts';

let started: StartedSandbox;
let ids: Record<NodeKind, string>;
beforeAll(async () => {
  started = await startSandbox({ behaviour: { templatesPerHour: 0 } });
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('file', new Blob(['x'], { type: 'image/png' }), 'a.png');
  const media = await started.graph('POST', `${number}/media`, form);
  const upload = await started.graph('POST', `${app}/uploads?file_length=4&file_type=image/png`);
  const templates = await started.graph('GET', `${account}/message_templates`);
  ids = {
    ...{ number, account, app, business: '800000000000001' },
    ...{
      template: String(templates.at('data.0.id')),
      media: String(media.at('id')),
      upload: String(upload.at('id')),
    },
  };
});
afterAll(() => started.close());

/** Names that some call reads, so that random values reach the code behind them. */
const names =
  'messaging_product to type text image interactive template contacts location reaction status message_id context recipient ' +
  'recipient_type biz_opaque_callback_data name language category components parameter_format message_send_ttl_seconds ' +
  'library_template_name library_template_button_inputs hsm_id hsm_ids pin code code_method block_users websites about vertical ' +
  'profile_picture_handle webhook_configuration new_display_name settings calling prompts commands enable_welcome_message ' +
  'prefilled_message generate_qr_image business_public_key entity_name entity_type username is_cart_enabled user_wa_id bsuid ' +
  'file_length file_type callback_url verify_token object fields start end granularity template_ids timezone_id limit after before ' +
  'cc phone_number file override_callback_uri access_token summary';
const usual = [
  'whatsapp',
  'text',
  'interactive',
  'template',
  'carousel',
  'MARKETING',
  'en_US',
  'read',
  'DAY',
  '+447700900201',
  'v',
  '{',
  '[1]',
  '{{1}}',
];
const value = fc.oneof(
  fc.constantFrom<unknown>(...usual, 0, -1, 1e300, null, true),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(
    fc.dictionary(
      fc.constantFrom('type', 'components', 'parameters', 'cards', 'buttons', 'text', 'url', 'user', 'index'),
      fc.jsonValue(),
    ),
    { maxLength: 3 },
  ),
);
const parameters = fc.dictionary(fc.constantFrom(...names.split(' '), '__proto__', 'toString'), value, {
  maxKeys: 8,
});

const calls = Object.entries(edges).flatMap(([kind, methods]) =>
  Object.entries(methods).flatMap(([edge, list]) =>
    list.split(' ').map((method) => [method, kind as NodeKind, edge] as const),
  ),
);

test.each(calls)(
  '%s of a %s (%s) answers whatever it is told in the form of the platform',
  async (method, kind, edge) => {
    await fc.assert(
      fc.asyncProperty(parameters, fc.boolean(), async (values, inQuery) => {
        const query = new URLSearchParams(
          Object.entries(values).map(([name, given]) => [
            name,
            typeof given === 'string' ? given : JSON.stringify(given),
          ]),
        );
        query.delete('access_token');
        const path = [ids[kind], edge].filter(Boolean).join('/');
        const hasBody = method !== 'GET' && !inQuery;
        const answer = await started.graph(
          method,
          hasBody ? path : `${path}?${query.toString()}`,
          hasBody ? values : undefined,
        );
        expect([answer.status < 500, typeof answer.body]).toEqual([true, 'object']);
        if (answer.status >= 400)
          expect(answer.at('error')).toMatchObject({
            message: expect.any(String),
            code: expect.any(Number),
            fbtrace_id: expect.any(String),
          });
      }),
      { numRuns: 10 },
    );
  },
);

const part = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    value,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...(
          'type sub_type index parameters components cards card_index header body footer text action buttons sections rows reply id title ' +
          'image video document link name url example format limited_time_offer has_expiration expiration_time_ms coupon_code ' +
          'product_items product_retailer_id catalog_id thumbnail_product_retailer_id display_text language code emoji message_id'
        ).split(' '),
      ),
      tie('node'),
      { maxKeys: 6 },
    ),
  ),
})).node;
const kinds = 'text image video audio document sticker location contacts reaction interactive template'.split(
  ' ',
);
const looks =
  'button list cta_url flow product product_list catalog_message carousel address_message voice_call'.split(
    ' ',
  );

test.each(['messages', 'message_templates'])(
  '%s of any shape are answered in the form of the platform',
  async (edge) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.constantFrom(...looks),
        fc.array(part, { maxLength: 3 }),
        part,
        async (kind, look, list, other) => {
          const inner = {
            type: look,
            body: { text: 'x' },
            action: other,
            name: 'hello_world',
            language: { code: 'en_US' },
            components: list,
          };
          const message = {
            messaging_product: 'whatsapp',
            to: '+447700900201',
            type: kind,
            [kind]: kind === 'contacts' ? list : inner,
          };
          const template = { name: 'any', language: 'en_US', category: 'MARKETING', components: list };
          const [id, body] = edge === 'messages' ? [number, message] : [account, template];
          const answer = await started.graph('POST', `${id}/${edge}`, body);
          expect([answer.status < 500, typeof answer.body]).toEqual([true, 'object']);
        },
      ),
      { numRuns: 100 },
    );
  },
);
