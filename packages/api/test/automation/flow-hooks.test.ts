import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkflowHook } from '../../src/automation/hooks/hooks-queries.ts';
import { HOOK_CALLS, mountHooks } from '../../src/automation/hooks/mount-hooks.ts';
import { createAttemptLimit } from '../../src/platform/http-edge/attempt-limit.ts';
import { PUBLIC_URL } from '../api-fixture.ts';
import { openFlowFixture, step, trigger, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());
beforeEach(() => flows.api.db.systemPool.query('DELETE FROM flows'));

const SECRET = 'a-secret-of-the-shop';
const flow = (config: { contact?: string } & Record<string, unknown> = {}) => ({
  triggers: [
    trigger('webhook', { contact: 'create', phone: 'customer.phone', name: 'customer.name', ...config }),
  ],
  start: 'note',
  steps: [
    config.contact === 'none'
      ? step('note', 'compare', { value: '{{trigger.body.order.id}}', operator: 'not_empty' })
      : step('note', 'add_note', { text: 'Order {{trigger.body.order.id}}' }),
  ],
});
const setHook = async (workflowId: string, body: object = {}) =>
  (await flows.admin.put(`/api/workflows/${workflowId}/hooks/begin`, body)).json<WorkflowHook>();
const open = async (config: Parameters<typeof flow>[0] = {}, hook: object = {}) => {
  const { id } = await flows.publish(flow(config));
  return { id, ...(await setHook(id, hook)) };
};
const call = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  flows.api.stranger.request(url.slice(PUBLIC_URL.length), {
    ...{ method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
    headers: { 'content-type': 'application/json', ...headers },
  });
const part = (name: string, value: string) =>
  `--Part_1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const order = (id: number, phone = '+4915112345678') => ({ order: { id }, customer: { phone, name: 'Bo' } });
const contactsOf = async (id: string) => (await flows.runsOf(id)).map(({ contact }) => contact?.name ?? null);

describe('a call', () => {
  test('begins a run with the contact that it names, made once, and brings its values', async () => {
    const { id, url } = await open();
    for (const number of [1, 2]) expect((await call(url, order(number))).status).toBe(202);
    await flows.settle();
    expect(await contactsOf(id)).toEqual(['Bo', 'Bo']);
    const { rows } = await flows.api.db.systemPool.query(
      `SELECT n.body FROM conversation_notes n JOIN conversations c ON c.id = n.conversation_id ORDER BY n.body`,
    );
    expect(rows.map(({ body }) => body)).toEqual(['Order 1', 'Order 2']);
    const { items } = await (
      await flows.admin.get(`/api/workflows/${id}/hooks`)
    ).json<{ items: WorkflowHook[] }>();
    expect(items).toMatchObject([{ calls: 2, sample: order(2), hasSecret: false, url }]);
  });

  test('with a key that came before begins nothing', async () => {
    const { id, url } = await open();
    for (const number of [1, 2]) await call(url, order(number), { 'idempotency-key': 'order-1' });
    await flows.settle();
    expect(await contactsOf(id)).toHaveLength(1);
  });

  test.each([
    ['idempotency-key', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
    ['svix-id', 'msg_1'],
    ['x-github-delivery', '72d3162e-cc78-11e3-81ab-4c9367dc0958'],
  ])('that its sender delivers again, with the same %s, begins nothing', async (name, value) => {
    const { id, url } = await open({ contact: 'none', phone: '' });
    for (let time = 0; time < 2; time += 1)
      expect((await call(url, order(1), { 'idempotency-key': '', [name]: value })).status).toBe(202);
    await flows.settle();
    expect(await flows.runsOf(id)).toHaveLength(1);
  });

  test.each<[string, string, string, object]>([
    ['a long id', 'application/json', '{"id":120210000000000123}', { id: '120210000000000123' }],
    ['a field twice', 'application/x-www-form-urlencoded', 'tag=a&tag=b+c&x', { tag: ['a', 'b c'], x: '' }],
    [
      'letters of an older service',
      'application/x-www-form-urlencoded; charset=ISO-8859-1',
      'name=J%FCrgen&city=K%F6ln',
      { name: 'Jürgen', city: 'Köln' },
    ],
    [
      'a form of parts',
      'multipart/form-data; boundary=Part_1',
      part('name', 'Jürgen') +
        part('tag', 'a') +
        part('tag', 'b') +
        part('cv"; filename="cv.txt', 'Text') +
        '--Part_1--\r\n',
      { name: 'Jürgen', tag: ['a', 'b'], cv: { name: 'cv.txt', type: 'text/plain', size: 4 } },
    ],
    ['a byte order mark', 'application/json; charset=utf-8', '\ufeff{"id":8}', { id: 8 }],
  ])('with %s brings it as it was meant', async (_, type, body, sample) => {
    const made = await open({ contact: 'none', phone: '' });
    const path = made.url.slice(PUBLIC_URL.length);
    const headers = { 'content-type': type };
    expect((await flows.api.stranger.request(path, { method: 'POST', body, headers })).status).toBe(202);
    expect((await setHook(made.id)).sample).toEqual(sample);
  });

  test.each([
    ['a number that is none', order(1, 'none'), {}, 'contact_phone_invalid'],
    [
      'a number of nobody, where none is made',
      order(1, '+4915100000001'),
      { contact: 'find' },
      'contact_not_found',
    ],
  ])('with %s is accepted and begins nothing, and the reason is stored', async (_, body, config, reason) => {
    const { id, url } = await open(config);
    expect((await call(url, body)).status).toBe(202);
    await flows.settle();
    expect(await contactsOf(id)).toEqual([]);
    const { rows } = await flows.api.db.systemPool.query(
      'SELECT reason FROM flow_starts WHERE flow_id = $1',
      [id],
    );
    expect(rows).toEqual([{ reason }]);
  });

  test('may be about nobody, and may be a form', async () => {
    const { id, url } = await open({ contact: 'none', phone: '' });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call(url, 'a=1&b=2', type)).status).toBe(202);
    await flows.settle();
    expect(await contactsOf(id)).toEqual([null]);
    const [run] = await flows.runsOf(id);
    expect(await (await flows.admin.get(`/api/workflow-runs/${run!.id}`)).json()).toMatchObject({
      triggerValues: { body: { a: '1', b: '2' } },
    });
  });

  test('to a draft leaves its body as an example, and begins nothing', async () => {
    const made = await (
      await flows.admin.post('/api/workflows', { name: 'Draft', ...flow() })
    ).json<{ id: string }>();
    const { url } = await setHook(made.id);
    expect((await call(url, order(7))).status).toBe(202);
    await flows.settle();
    expect(await contactsOf(made.id)).toEqual([]);
    expect((await setHook(made.id)).sample).toEqual(order(7));
  });
});

describe('an address', () => {
  test('is there once the workflow is published, and stays the same', async () => {
    const { id, flow: draft } = await flows.publish(flow());
    const read = async () =>
      (await (await flows.admin.get(`/api/workflows/${id}/hooks`)).json<{ items: WorkflowHook[] }>()).items;
    const [hook] = await read();
    expect(hook).toMatchObject({ triggerId: 'begin', hasSecret: false, calls: 0 });
    expect((await call(hook!.url, order(1))).status).toBe(202);
    await flows.settle();
    expect(await contactsOf(id)).toEqual(['Bo']);
    const renamed = { ...draft, name: 'Renamed', version: 1 };
    expect((await flows.admin.put(`/api/workflows/${id}`, renamed)).status).toBe(200);
    expect((await flows.admin.post(`/api/workflows/${id}/publish`, { version: 2 })).status).toBe(200);
    expect((await read()).map(({ url }) => url)).toEqual([hook!.url]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['without its secret', {}, 401],
    ['with another secret', { 'x-webhook-secret': 'another-secret-of-it' }, 401],
    ['with its secret', { 'x-webhook-secret': SECRET }, 202],
    ['with its secret as a bearer', { authorization: `Bearer ${SECRET}` }, 202],
  ])('that has a secret, called %s', async (_, headers, status) => {
    const { url } = await open({}, { secret: SECRET });
    expect((await call(url, order(1), headers)).status).toBe(status);
  });

  test('that was renewed is another one, and the old one is gone', async () => {
    const { id, url } = await open();
    const renewed = await (
      await flows.admin.post(`/api/workflows/${id}/hooks/begin/renew`)
    ).json<WorkflowHook>();
    expect([(await call(url, order(1))).status, (await call(renewed.url, order(1))).status]).toEqual([
      404, 202,
    ]);
  });

  test.each<[string, unknown, number]>([
    ['no JSON', '{', 422],
    ['more than 64 kB', { text: 'x'.repeat(70_000) }, 413],
    ['JSON of a hundred levels', `${'['.repeat(100)}${']'.repeat(100)}`, 422],
    ['text that cannot be stored', '{"a":"\\u0000"}', 422],
  ])('refuses %s', async (_, body, status) => {
    const { url } = await open();
    expect((await call(url, body)).status).toBe(status);
  });

  test('takes so many calls in a minute', async () => {
    expect(HOOK_CALLS).toEqual({ max: 1_200, windowMs: 60_000 });
    const { url } = await open({ contact: 'none', phone: '' });
    let now = Date.now();
    const app = new Hono();
    mountHooks(
      app,
      flows.api.parts,
      createAttemptLimit({ ...HOOK_CALLS, max: 2 }, () => new Date(now)),
    );
    const ask = async () =>
      (
        await app.request(url.slice(PUBLIC_URL.length), {
          ...{ method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
        })
      ).status;
    expect([await ask(), await ask(), await ask()]).toEqual([422, 422, 429]);
    now += HOOK_CALLS.windowMs;
    expect(await ask()).toBe(422);
  });

  test('is seen by those alone who may publish', async () => {
    const { id } = await open();
    for (const role of ['viewer', 'agent'] as const)
      expect((await (await flows.api.as(role)).get(`/api/workflows/${id}/hooks`)).status).toBe(403);
  });
});

describe('the last calls of an address', () => {
  type Call = { outcome: string; reason: string | null; runId: string | null; body: unknown; status: number };
  const callsOf = async (id: string) =>
    (await (await flows.admin.get(`/api/workflows/${id}/hooks/begin/calls`)).json<{ items: Call[] }>()).items;

  test('say what became of each, with secrets masked, and what was rejected', async () => {
    const { id, url } = await open({}, { secret: SECRET });
    const secret = { 'x-webhook-secret': SECRET };
    await call(url, order(1));
    await call(url, 'not json', secret);
    await call(url, { ...order(2), api_token: 'very-secret' }, { ...secret, 'idempotency-key': 'two' });
    await call(url, order(2), { ...secret, 'idempotency-key': 'two' });
    await call(url, order(3, 'none'), secret);
    await flows.settle();
    const [run] = await flows.runsOf(id);
    const calls = await callsOf(id);
    expect(calls.map(({ outcome, reason, status }) => [outcome, reason, status])).toEqual([
      ['nothing', 'contact_phone_invalid', 202],
      ['nothing', 'repeated', 202],
      ['started', null, 202],
      ['rejected', 'workflow_hook_body_invalid', 422],
      ['rejected', 'workflow_hook_secret_wrong', 401],
    ]);
    expect(calls[2]).toMatchObject({ runId: run!.id, body: { ...order(2), api_token: '••••' } });
    const { items } = await (await flows.admin.get('/api/workflow-hooks')).json<{ items: object[] }>();
    expect(items).toMatchObject([{ workflowId: id, workflowName: 'Flow', isActive: true, calls: 3 }]);
  });

  test('are fifty at most, and calls without the secret push none of them out', async () => {
    const { id, url } = await open({ contact: 'none' }, { secret: SECRET });
    const { rows } = await flows.api.db.systemPool.query('SELECT id FROM flow_hooks WHERE flow_id = $1', [
      id,
    ]);
    await flows.api.db.systemPool.query(
      `INSERT INTO flow_hook_calls (workspace_id, hook_id, at, status, bytes, reason)
       SELECT $1, $2, now(), CASE WHEN n <= 60 THEN 202 ELSE 401 END, 0, 'not_active' FROM generate_series(1, 120) AS n`,
      [flows.api.workspaceId, rows[0].id],
    );
    await call(url, {}, { 'x-webhook-secret': SECRET });
    await call(url, {});
    const calls = await callsOf(id);
    expect(Map.groupBy(calls, ({ status }) => status).get(202)).toHaveLength(50);
    expect(calls).toHaveLength(100);
  });
});
