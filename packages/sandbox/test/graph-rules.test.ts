import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';
import { edges, roots, type NodeKind } from '../src/whatsapp-cloud/edges.ts';
import { account, app, number, startSandbox, textTo, type StartedSandbox } from './started-sandbox.ts';

let started: StartedSandbox;
beforeAll(async () => {
  started = await startSandbox({ behaviour: { windowError: 'off', pairLimit: false } });
});
afterAll(() => started.close());

const bearer = { authorization: 'Bearer sandbox-access-token' };

async function call(
  method: string,
  path: string,
  body?: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${started.url}/graph/${path}`, {
    method,
    headers: { ...bearer, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test.each([
  ['GET', number, undefined],
  ['GET', `${number}/`, undefined],
  ['POST', `${number}/messages`, JSON.stringify(textTo('+447700900201'))],
  [
    'POST',
    `${number}/block_users`,
    JSON.stringify({ messaging_product: 'whatsapp', block_users: [{ user: '+447700900777' }] }),
  ],
  [
    'DELETE',
    `${number}/block_users`,
    JSON.stringify({ messaging_product: 'whatsapp', block_users: [{ user: '+447700900777' }] }),
  ],
  ['GET', `${account}/message_templates/`, undefined],
])('%s %s is answered without a version', async (method, path, body) => {
  const answer = await call(method, path, body, { 'content-type': 'application/json' });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.headers.get('facebook-api-version')).toBe('v26.0');
});

test('versions that are gone are refused, and so are those that never were', async () => {
  const text = JSON.stringify(textTo('+447700900201'));
  const json = { 'content-type': 'application/json' };
  for (const version of ['v13.0', 'v20.0']) {
    for (const answer of [
      await call('GET', `${version}/${number}`),
      await call('POST', `${version}/${number}/messages`, text, json),
    ])
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 2635, type: 'OAuthException' } } });
  }
  for (const version of ['v99.0', 'v26.5'])
    expect(await call('GET', `${version}/${number}`)).toMatchObject({
      status: 400,
      body: { error: { code: 2500 } },
    });
  for (const version of ['v21.0', 'v26.0'])
    expect((await call('GET', `${version}/${number}`)).status).toBe(200);
  await started.control('POST', 'whatsapp/behaviour', { oldestVersion: 24 });
  expect((await call('GET', `v23.0/${number}`)).body).toMatchObject({ error: { code: 2635 } });
  await started.control('POST', 'whatsapp/behaviour', { oldestVersion: 21 });
});

test.each([
  [number, 'display_name', 'WhatsAppBusinessPhoneNumber'],
  [account, 'display_phone_number', 'WhatsAppBusinessAccount'],
  [account, 'messaging_limit_tier', 'WhatsAppBusinessAccount'],
  [account, 'constructor', 'WhatsAppBusinessAccount'],
  [app, 'nothing', 'Application'],
  [`${account}/phone_numbers`, 'id,nothing', 'WhatsAppBusinessPhoneNumber'],
  [`${account}/message_templates`, 'nothing', 'WhatsAppMessageTemplate'],
  [`${number}/whatsapp_business_profile`, 'about,nothing', 'WhatsAppBusinessProfile'],
  [account, 'phone_numbers{nothing}', 'WhatsAppBusinessPhoneNumber'],
])('%s?fields=%s is refused in the words of the platform', async (path, fields, type) => {
  const answer = await call('GET', `v26.0/${path}?fields=${encodeURIComponent(fields)}`);
  const name = /nothing/.test(fields) ? 'nothing' : fields;
  expect(answer).toMatchObject({
    status: 400,
    body: {
      error: {
        message: `(#100) Tried accessing nonexisting field (${name}) on node type (${type})`,
        type: 'OAuthException',
        code: 100,
        fbtrace_id: expect.stringMatching(/^A/),
      },
    },
  });
});

test.each([
  ['GET', `${account}/messages`, 'nonexisting field (messages) on node type (WhatsAppBusinessAccount)'],
  [
    'GET',
    `${number}/message_templates`,
    'nonexisting field (message_templates) on node type (WhatsAppBusinessPhoneNumber)',
  ],
  ['GET', `${number}/messages`, 'nonexisting field (messages)'],
  ['POST', `${account}/messages`, `Unsupported post request. Object with ID '${account}'`],
  ['POST', `${number}/nothing`, 'Unsupported post request'],
  ['DELETE', number, 'Unsupported delete request'],
  ['PUT', `${number}/settings`, 'Unsupported put request'],
  ['PATCH', `${number}/constructor`, 'Unsupported patch request'],
  ['GET', '1234567890123456', `Unsupported get request. Object with ID '1234567890123456'`],
  ['GET', '1234567890123456/phone_numbers', 'Unsupported get request'],
  ['GET', 'no/such/path', 'Unknown path components'],
  ['POST', `${number}/messages/more/parts`, 'Unknown path components'],
  ['GET', '', 'Unknown path components'],
  ['GET', '%E0%A4%A', 'cannot be read'],
])('%s %s is refused in the form of the platform', async (method, path, words) => {
  for (const version of ['v26.0/', '']) {
    const answer = await call(method, version + path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toMatchObject({
      error: {
        message: expect.stringContaining(words),
        code: expect.any(Number),
        fbtrace_id: expect.any(String),
      },
    });
  }
});

test('the table of edges and the routes agree', async () => {
  const sandbox = createSandbox();
  const routed = new Set<string>();
  for (const route of sandbox.routes) {
    const [method = '', path = ''] = route.split(' ');
    const [, graph, id = '', edge = ''] = path.split('/');
    if (graph !== 'graph' || roots.includes(id)) continue;
    for (const name of edge.replace(/^:edge\{|\}$/g, '').split('|')) routed.add(`${method} ${name}`);
  }
  await sandbox.close();
  const known = Object.keys(edges).flatMap((kind) =>
    Object.entries(edges[kind as NodeKind]).flatMap(([edge, methods]) =>
      methods.split(' ').map((method) => `${method} ${edge}`),
    ),
  );
  expect([...routed].sort()).toEqual([...new Set(known)].sort());
});

test('fields nest, take values and lists', async () => {
  const query = 'id,phone_numbers.limit(1){display_phone_number,throughput{level}},name';
  expect((await call('GET', `v26.0/${account}?fields=${query}`)).body).toEqual({
    id: account,
    name: 'Sample business',
    phone_numbers: {
      data: [{ id: number, display_phone_number: '+44 7700 900100', throughput: { level: 'STANDARD' } }],
      paging: { cursors: expect.any(Object) },
    },
  });
  expect((await call('GET', `v26.0/${account}?fields=["currency","id"]`)).body).toEqual({
    id: account,
    currency: 'USD',
  });
  for (const broken of ['phone_numbers{id', 'analytics.start(1', 'name}', 'a'.repeat(3) + '{'.repeat(50)])
    expect((await call('GET', `v26.0/${account}?fields=${encodeURIComponent(broken)}`)).body).toMatchObject({
      error: { code: 2500, message: expect.stringContaining('Syntax error') },
    });
});

const template = [{ type: 'BODY', text: 'Thank you for your visit' }];
const forms: [
  string,
  (values: Record<string, unknown>) => [string, NonNullable<RequestInit['body']>?, Record<string, string>?],
][] = [
  ['query', (values) => [`?${texts(values).toString()}`]],
  ['form', (values) => ['', texts(values)]],
  [
    'multipart form',
    (values) => {
      const form = new FormData();
      for (const [name, value] of texts(values)) form.set(name, value);
      return ['', form];
    },
  ],
  ['JSON', (values) => ['', JSON.stringify(values), { 'content-type': 'application/json' }]],
  ['JSON without a type', (values) => ['', Buffer.from(JSON.stringify(values))]],
  [
    'JSON text in JSON',
    (values) => [
      '',
      JSON.stringify(Object.fromEntries(texts(values))),
      { 'content-type': 'application/json' },
    ],
  ],
];

function texts(values: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

test.each(forms)('takes parameters as %s', async (name, form) => {
  const send = (path: string, values: Record<string, unknown>) => {
    const [query, body, headers] = form(values);
    return call('POST', `v26.0/${path}${query}`, body, headers);
  };
  const message = { ...textTo('+447700900201'), text: { body: 'Hello there', preview_url: false } };
  expect(await send(`${number}/messages`, message)).toMatchObject({ status: 200, body: { messages: [{}] } });
  const made = {
    name: `made_by_${name.replace(/\W/g, '_').toLowerCase()}`,
    language: 'en_US',
    category: 'MARKETING',
    components: template,
  };
  expect(await send(`${account}/message_templates`, made)).toMatchObject({
    status: 200,
    body: { status: 'PENDING' },
  });
  const users = { messaging_product: 'whatsapp', block_users: [{ user: '+447700900778' }] };
  expect(await send(`${number}/block_users`, users)).toMatchObject({
    body: { block_users: { added_users: [{ wa_id: '447700900778' }] } },
  });
  const profile = { messaging_product: 'whatsapp', websites: ['https://a.example/'] };
  expect(await send(`${number}/whatsapp_business_profile`, profile)).toMatchObject({ status: 200 });
  expect((await call('GET', `v26.0/${number}/whatsapp_business_profile?fields=websites`)).body).toMatchObject(
    {
      data: [{ websites: ['https://a.example/'] }],
    },
  );
});

test('takes bracketed names, and refuses text that is not JSON', async () => {
  const body = new URLSearchParams('messaging_product=whatsapp&block_users[0][user]=%2B447700900779');
  expect((await call('POST', `v26.0/${number}/block_users`, body)).body).toMatchObject({
    block_users: { added_users: [{ wa_id: '447700900779' }] },
  });
  const wild = new URLSearchParams('messaging_product=whatsapp&__proto__[x]=1&block_users[99999999]=1');
  expect((await call('POST', `v26.0/${number}/block_users`, wild)).status).toBe(400);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  const broken = new URLSearchParams({ name: 'x', components: '[{' });
  expect((await call('POST', `v26.0/${account}/message_templates`, broken)).body).toMatchObject({
    error: { code: 100, message: expect.stringContaining('components') },
  });
  const json = { 'content-type': 'application/json' };
  expect((await call('POST', `v26.0/${number}/settings`, '{"a":', json)).body).toMatchObject({
    error: { code: 100 },
  });
  const notAForm = { 'content-type': 'multipart/form-data' };
  expect((await call('POST', `v26.0/${number}/media`, 'nothing', notAForm)).body).toMatchObject({
    error: { code: 100 },
  });
});

test('the token may stand in the query or in the body', async () => {
  const post = (body: NonNullable<RequestInit['body']>) =>
    fetch(`${started.url}/graph/v26.0/${number}/messages`, { method: 'POST', body });
  const values = { ...textTo('+447700900201'), access_token: 'sandbox-access-token' };
  expect((await post(texts(values))).status).toBe(200);
  expect((await post(texts({ ...values, access_token: 'nobody' }))).status).toBe(401);
  const none = await fetch(`${started.url}/graph/v26.0/${number}`);
  expect([none.status, await none.json()]).toMatchObject([401, { error: { code: 104 } }]);
});

test('says how much of the budget of an account is used', async () => {
  await started.control('POST', 'whatsapp/behaviour', { managementCallsPerHour: 10 });
  await call('GET', `v26.0/${account}`);
  const answer = await call('GET', `v26.0/${account}`);
  await started.control('POST', 'whatsapp/behaviour', { managementCallsPerHour: 0 });
  expect(JSON.parse(answer.headers.get('x-business-use-case-usage') ?? '{}')).toEqual({
    [account]: [
      {
        type: 'whatsapp',
        call_count: 20,
        total_cputime: 1,
        total_time: 1,
        estimated_time_to_regain_access: 0,
      },
    ],
  });
  expect((await call('GET', `v26.0/${number}`)).headers.get('x-business-use-case-usage')).toContain(account);
});

test.each([
  ...Array.from({ length: 19 }, (_, offset) => [138000 + offset, 400]),
  ...[147002, 147003, 147004, 147005].map((code) => [code, 400]),
  ...[2388012, 2388019, 2388024, 2388039, 2388040, 2388047, 2388072, 2388073, 2388293, 2388299].map(
    (code) => [code, 400],
  ),
  [613, 429],
  [104, 401],
  [200, 403],
])('brings out %i as a plain code', async (code, status) => {
  const answer = await call('GET', `v26.0/${number}`, undefined, { 'x-sandbox-force-error': String(code) });
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({
    error: { code, message: expect.not.stringContaining('Unknown error') },
  });
});
