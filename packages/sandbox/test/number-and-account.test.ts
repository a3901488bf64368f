import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  account,
  app,
  number,
  offer,
  offerParameters,
  startSandbox,
  templateTo,
  textTo,
  waitFor,
  type StartedSandbox,
} from './started-sandbox.ts';

let started: StartedSandbox;
beforeAll(async () => {
  started = await startSandbox({ behaviour: { deliveredRate: 1, readRate: 1 } });
});
afterAll(() => started.close());

const graph = (method: string, path: string, body?: unknown) => started.graph(method, path, body);
const business = '800000000000001';

test('QR codes are made, read, changed and deleted', async () => {
  const made = await graph('POST', `${number}/message_qrdls`, {
    prefilled_message: 'Hello',
    generate_qr_image: 'SVG',
  });
  const code = String(made.at('code'));
  expect(made.body).toEqual({
    code: expect.stringMatching(/^[A-Z2-7]{14}$/),
    prefilled_message: 'Hello',
    deep_link_url: `https://wa.me/message/${code}`,
    qr_image_url: expect.any(String),
  });
  expect(await (await fetch(String(made.at('qr_image_url')))).text()).toContain(code);
  expect(
    (await graph('POST', `${number}/message_qrdls`, { code, prefilled_message: 'Bye' })).at(
      'prefilled_message',
    ),
  ).toBe('Bye');
  const changed = await graph('POST', `${number}/message_qrdls/${code}?prefilled_message=Again`);
  expect(changed.at('code')).toBe(code);
  const fields = 'prefilled_message,qr_image_url.format(PNG)';
  expect((await graph('GET', `${number}/message_qrdls/?fields=${fields}`)).at('data')).toEqual([
    { code, prefilled_message: 'Again', qr_image_url: expect.stringMatching(/png$/) },
  ]);
  expect((await graph('GET', `${number}/message_qrdls/${code}`)).at('data.0.code')).toBe(code);
  expect((await graph('GET', `${number}?fields=message_qrdls{code}`)).at('message_qrdls.data.0.code')).toBe(
    code,
  );
  expect((await graph('DELETE', `${number}/message_qrdls/${code}`)).body).toEqual({ success: true });
  for (const answer of [
    await graph('DELETE', `${number}/message_qrdls/${code}`),
    await graph('GET', `${number}/message_qrdls/${code}`),
    await graph('POST', `${number}/message_qrdls`, {}),
    await graph('POST', `${number}/message_qrdls`, { prefilled_message: 'x'.repeat(141) }),
    await graph('POST', `${number}/message_qrdls`, { prefilled_message: 'x', generate_qr_image: 'GIF' }),
  ])
    expect([answer.status, answer.at('error.code')]).toEqual([400, 100]);
});

test('what a chat begins with is set and read as a field', async () => {
  const automation = {
    enable_welcome_message: true,
    prompts: ['Where is my order?'],
    commands: [{ command_name: 'hours', command_description: 'When we are open' }],
  };
  expect((await graph('POST', `${number}/conversational_automation`, automation)).body).toEqual({
    success: true,
  });
  await graph('POST', `${number}/conversational_automation?enable_welcome_message=false`);
  expect((await graph('GET', `${number}?fields=conversational_automation`)).body).toEqual({
    conversational_automation: { ...automation, enable_welcome_message: false, id: number },
    id: number,
  });
  for (const wrong of [
    {},
    { prompts: ['a', 'b', 'c', 'd', 'e'] },
    { prompts: ['x'.repeat(81)] },
    { commands: [{ command_name: 'x'.repeat(33), command_description: 'y' }] },
    { commands: [{ command_name: 'x' }] },
  ])
    expect((await graph('POST', `${number}/conversational_automation`, wrong)).at('error.code')).toBe(100);
});

test('shop, key, compliance, name and badge of a number are kept', async () => {
  await graph('POST', `${number}/whatsapp_commerce_settings?is_catalog_visible=true`);
  expect((await graph('GET', `${number}/whatsapp_commerce_settings`)).at('data')).toEqual([
    { id: number, is_cart_enabled: true, is_catalog_visible: true },
  ]);
  const pem = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----';
  expect(
    (await graph('POST', `${number}/whatsapp_business_encryption`, { business_public_key: 'x' })).status,
  ).toBe(400);
  await graph('POST', `${number}/whatsapp_business_encryption`, { business_public_key: pem });
  expect((await graph('GET', `${number}/whatsapp_business_encryption`)).at('data')).toEqual([
    { business_public_key: pem, business_public_key_signature_status: 'VALID' },
  ]);
  const info = {
    messaging_product: 'whatsapp',
    entity_name: 'Shop',
    entity_type: 'Partnership',
    is_registered: true,
  };
  await graph('POST', `${number}/business_compliance_info`, info);
  expect((await graph('GET', `${number}/business_compliance_info`)).at('data')).toEqual([info]);
  expect((await graph('GET', `${number}/official_business_account`)).at('oba_status')).toBe('NOT_STARTED');
  expect((await graph('POST', `${number}?new_display_name=Better Shop`)).body).toEqual({ success: true });
  expect((await graph('GET', `${number}?fields=new_display_name,new_name_status`)).body).toMatchObject({
    ...{ new_display_name: 'Better Shop', new_name_status: 'PENDING_REVIEW' },
  });
  expect((await graph('POST', number, {})).at('error.code')).toBe(100);
});

test('user names have an owner', async () => {
  const other = await started.control('POST', 'whatsapp/numbers', { businessAccountId: account });
  const second = String(other.at('phoneNumberId'));
  const stranger = await started.control('POST', 'whatsapp/numbers', { appId: app, name: 'Stranger' });
  const take = (id: string, body: unknown) => graph('POST', `${id}/username`, body);
  expect((await take(number, { username: 'x' })).at('error.code')).toBe(147001);
  expect((await take(number, { username: 'our.shop' })).body).toEqual({ status: 'approved' });
  expect((await graph('GET', `${number}/username`)).body).toEqual({
    username: 'our.shop',
    status: 'approved',
  });
  expect((await take(second, { username: 'our.shop' })).at('error.code')).toBe(147005);
  expect((await take(String(stranger.at('phoneNumberId')), { username: 'our.shop' })).at('error.code')).toBe(
    147001,
  );
  expect((await take(second, { username: 'our.shop', force_transfer: true })).status).toBe(200);
  expect((await graph('GET', `${number}?fields=username`)).body).toEqual({ id: number });
  await graph('DELETE', `${second}/username`);
  expect((await graph('GET', `${second}/username`)).body).toEqual({});
  expect((await graph('GET', `${number}/username_suggestions`)).at('data.0.username_suggestions.0')).toBe(
    'sample.business',
  );
  const contact = await graph('DELETE', `${number}/contact_book?messaging_product=whatsapp&bsuid=GB.1`);
  expect(contact.body).toEqual({ success: true });
});

test('calls, groups and flows say that they are not there', async () => {
  const call = { messaging_product: 'whatsapp', to: '+447700900201', action: 'connect' };
  expect((await graph('POST', `${number}/calls`, call)).at('error.code')).toBe(138000);
  expect(
    (await graph('GET', `${number}/call_permissions?user_wa_id=447700900201`)).at('permission.status'),
  ).toBe('no_permission');
  expect((await graph('GET', `${number}/call_permissions`)).at('error.code')).toBe(100);
  expect((await graph('POST', `${number}/groups`, { subject: 'x' })).at('error.code')).toBe(131215);
  expect((await graph('GET', `${number}/groups`)).at('data')).toEqual({ groups: [] });
  expect((await graph('POST', `${account}/flows`, { name: 'x' })).at('error.code')).toBe(139000);
  for (const edge of [
    'flows',
    'assigned_users',
    'activities',
    'schedules',
    'solutions',
    'product_catalogs',
    'audiences',
  ])
    expect((await graph('GET', `${account}/${edge}`)).body).toEqual({ data: [] });
});

test('people without a number are blocked by their user id', async () => {
  const users = (user: object) => ({ messaging_product: 'whatsapp', block_users: [user] });
  const path = `${number}/block_users`;
  expect((await graph('POST', path, users({ user_id: 'GB.123' }))).at('block_users.added_users')).toEqual([
    { input: 'GB.123', user_id: 'GB.123' },
  ]);
  expect((await graph('GET', `${path}?limit=1`)).at('data')).toEqual([
    { messaging_product: 'whatsapp', user_id: 'GB.123' },
  ]);
  expect(
    (await graph('DELETE', path, users({ user_id: 'GB.123' }))).at('block_users.removed_users.0.user_id'),
  ).toBe('GB.123');
  expect((await graph('POST', path, users({ user: 'nobody' }))).at('error.code')).toBe(139100);
  expect((await graph('POST', path, { block_users: [{ user: '+447700900201' }] })).at('error.code')).toBe(
    100,
  );
});

test('settings take what is known and refuse the rest', async () => {
  expect((await graph('POST', `${number}/settings`, { calling: { status: 'ENABLED' } })).body).toEqual({
    success: true,
  });
  expect((await graph('GET', `${number}/settings`)).at('calling.status')).toBe('ENABLED');
  expect((await graph('POST', `${number}/settings`, { nothing: {} })).at('error.code')).toBe(100);
  expect((await graph('POST', `${number}/settings`, { calling: 'yes' })).at('error.code')).toBe(100);
});

test('an account tells its health, its owner and its portfolio', async () => {
  const fields =
    'health_status,owner_business_info,on_behalf_of_business_info,creation_time,status,phone_numbers.limit(1){id}';
  expect((await graph('GET', `${account}?fields=${fields}`)).body).toMatchObject({
    health_status: {
      can_send_message: 'AVAILABLE',
      entities: [
        { entity_type: 'WABA', id: account },
        { entity_type: 'BUSINESS' },
        { entity_type: 'APP', id: app },
      ],
    },
    owner_business_info: { id: business },
    phone_numbers: { data: [{ id: number }] },
  });
  expect(
    (await graph('GET', `${number}?fields=health_status,whatsapp_business_profile{about},country_code`)).body,
  ).toMatchObject({
    health_status: { can_send_message: 'AVAILABLE' },
    whatsapp_business_profile: { data: [{ about: expect.any(String) }] },
    country_code: 'GB',
  });
  expect((await graph('GET', `${business}?fields=name,verification_status`)).body).toMatchObject({
    id: business,
  });
  expect(
    (await graph('GET', `${business}/owned_whatsapp_business_accounts?fields=currency`)).at('data.0'),
  ).toEqual({ id: account, currency: 'USD' });
  expect((await graph('GET', `${business}/client_whatsapp_business_accounts`)).at('data')).toEqual([]);
  expect((await graph('POST', account, { name: 'Renamed', timezone_id: 2 })).body).toEqual({
    success: true,
    id: account,
  });
  expect((await graph('GET', account)).body).toMatchObject({ name: 'Renamed', timezone_id: '2' });
  expect((await graph('POST', account, {})).at('error.code')).toBe(100);
});

test('analytics count what was sent', async () => {
  const made = await graph('POST', `${account}/message_templates`, offer);
  const id = String(made.at('id'));
  await waitFor(async () => (await graph('GET', `${id}?fields=status`)).at('status') === 'APPROVED');
  await started.control('POST', 'whatsapp/inbound', { from: '+447700900201', text: 'Hi' });
  expect(
    (await graph('POST', `${number}/messages`, templateTo('+447700900202', offer.name, offerParameters)))
      .status,
  ).toBe(200);
  await graph('POST', `${number}/messages`, textTo('+447700900201'));
  await waitFor(async () => (await started.control('GET', 'whatsapp/stats')).at('statusesPending') === 0);

  const now = Math.floor(Date.now() / 1000);
  const range = `start(${now - 86400}).end(${now + 86400})`;
  const sent = await graph(
    'GET',
    `${account}?fields=analytics.${range}.granularity(DAY).phone_numbers([]).country_codes(["GB"])`,
  );
  expect(sent.at('analytics')).toMatchObject({
    granularity: 'DAY',
    phone_numbers: expect.arrayContaining(['447700900100']),
    data_points: [{ sent: 2, delivered: 2 }],
  });
  const priced = await graph(
    'GET',
    `${account}?fields=pricing_analytics.${range}.granularity(DAILY).dimensions(["PRICING_CATEGORY"])`,
  );
  expect(priced.at('pricing_analytics.data.0.data_points')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        pricing_category: 'MARKETING',
        pricing_type: 'REGULAR',
        volume: 1,
        country: 'GB',
      }),
      expect.objectContaining({ pricing_category: 'SERVICE', volume: 1 }),
    ]),
  );
  const talked = await graph('GET', `${account}?fields=conversation_analytics.${range}.granularity(DAILY)`);
  expect(talked.at('conversation_analytics.data.0.data_points')).toHaveLength(2);

  const query = `start=${now - 86400}&end=${now + 86400}&granularity=DAILY&template_ids=[${id}]`;
  expect((await graph('GET', `${account}/template_analytics?${query}`)).at('error.code')).toBe(200007);
  expect((await graph('POST', `${account}?is_enabled_for_insights=false`)).at('error.code')).toBe(200006);
  await graph('POST', `${account}?is_enabled_for_insights=true`);
  expect(
    (await graph('GET', `${account}/template_analytics?${query}`)).at('data.0.data_points'),
  ).toMatchObject([{ template_id: id, sent: 1, delivered: 1, read: 1 }]);
  for (const wrong of [
    'analytics',
    'analytics.start(1)',
    `analytics.${range}.granularity(DAILY)`,
    'analytics.start(9).end(1).granularity(DAY)',
    'analytics.start(0).end(99999999999).granularity(HALF_HOUR)',
  ])
    expect((await graph('GET', `${account}?fields=${wrong}`)).at('error.code')).toBe(100);
});

test('templates are made from the library', async () => {
  const all = await graph('GET', 'message_template_library');
  expect(all.at('data.0')).toMatchObject({
    name: expect.any(String),
    category: 'UTILITY',
    body_param_types: expect.any(Array),
  });
  expect(
    (await graph('GET', `${account}/message_template_library?topic=PAYMENTS&limit=5`)).at('data'),
  ).toHaveLength(1);
  expect(
    (await graph('GET', 'message_template_library?search=appointment&language=en_US')).at('data'),
  ).toHaveLength(1);
  expect((await graph('GET', 'message_template_library?industry=["TRAVEL"]')).at('data')).toEqual([]);
  const make = (name: string, more: object = {}) =>
    graph('POST', `${account}/message_templates`, {
      ...{ name, language: 'en_US', category: 'UTILITY', library_template_name: 'sandbox_payment_due' },
      ...more,
    });
  const inputs = [
    {
      type: 'URL',
      url: { base_url: 'https://pay.example/{{1}}', url_suffix_example: 'https://pay.example/1' },
    },
    { type: 'PHONE_NUMBER', phone_number: '+447700900100' },
  ];
  const made = await make('due', { library_template_button_inputs: inputs });
  expect(made.status).toBe(200);
  expect(
    (await graph('GET', `${String(made.at('id'))}?fields=library_template_name,components`)).body,
  ).toMatchObject({
    library_template_name: 'sandbox_payment_due',
    components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ url: 'https://pay.example/{{1}}' }, {}] }],
  });
  for (const wrong of [
    await make('no_buttons'),
    await make('own_parts', { components: [] }),
    await make('wrong_category', { category: 'MARKETING' }),
    await make('unknown', { library_template_name: 'nothing' }),
  ])
    expect(wrong.at('error.code')).toBe(100);
});
