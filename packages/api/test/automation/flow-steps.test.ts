import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
let server: Server;
let address: string;
let answer: (request: IncomingMessage & { body: string }, response: ServerResponse) => void;
let calls: { method: string; path: string; headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  flows = await openFlowFixture();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      calls.push({ method, path, headers, body });
      answer(Object.assign(request, { body }), response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await flows.api.close();
});
beforeEach(async () => {
  calls = [];
  await flows.api.db.systemPool.query('DELETE FROM flows');
});

/** Begins with the tag `go` and does one step, then tags the contact by the exit. */
const oneStep = (type: string, config: object) => ({
  ...{ triggers: [tagged('go')], start: 'one' },
  steps: [
    step('one', type, config, { next: { done: 'well', failed: 'badly' } }),
    step('well', 'add_tag', { tag: 'well' }),
    step('badly', 'add_tag', { tag: 'badly' }),
  ],
});
const go = (fields: object = {}) => flows.addContact({ tags: ['go'], ...fields });

longDescribe('set_field', () => {
  const addField = async (key: string, type: string): Promise<string> => {
    const made = await flows.admin.post('/api/custom-fields', { label: key, type });
    return (await made.json<{ id: string }>()).id;
  };
  test.each([
    ['plan', 'text', '{{contact.name}} (gold)', 'Ann Lee (gold)', 'well'],
    ['visits', 'number', '12', 12, 'well'],
    ['since', 'date', '2026-02-31', undefined, 'badly'],
  ])('writes %s, a %s, from %j', async (key, type, value, stored, exit) => {
    const { id } = await flows.publish(oneStep('set_field', { field: await addField(key, type), value }));
    const { id: contactId } = await go();
    const { log } = await flows.endOf(id);
    const { customFields, tags } = await flows.contact(contactId);
    expect([customFields[key], tags]).toEqual([stored, ['go', exit]]);
    if (exit === 'badly') expect(log[0]).toMatchObject({ exit: 'failed', code: 'custom_field_invalid' });
  });
});

describe('in the inbox', () => {
  const conversationOf = async (contactId: string) => {
    const { rows } = await flows.api.db.systemPool.query(
      `SELECT c.assignee_id, c.team_id, n.body, n.author_name FROM conversations c
         LEFT JOIN conversation_notes n ON n.conversation_id = c.id WHERE c.contact_id = $1`,
      [contactId],
    );
    return rows;
  };
  test('assign_conversation opens a conversation and gives it to a member', async () => {
    const user = await flows.api.userId('agent@acme.test');
    const { id } = await flows.publish(oneStep('assign_conversation', { to: 'user', user }));
    const contact = await go();
    await flows.endOf(id);
    expect(await conversationOf(contact.id)).toMatchObject([{ assignee_id: user }]);
  });

  test('a member who may not answer any more is an error of the step', async () => {
    const user = await flows.api.userId('viewer@acme.test');
    const { id } = await flows.publish(oneStep('assign_conversation', { to: 'user', user }));
    await go();
    expect((await flows.endOf(id)).log[0]).toMatchObject({ code: 'conversation_assignee_unknown' });
  });

  test('add_note writes a note in the name of the workflow', async () => {
    const { id } = await flows.publish(oneStep('add_note', { text: 'Call {{contact.name}} back.' }));
    const contact = await go();
    await flows.endOf(id);
    expect(await conversationOf(contact.id)).toMatchObject([
      { body: 'Call Ann Lee back.', author_name: 'Flow' },
    ]);
  });
});

describe('add_to_campaign', () => {
  test('names the contact in a draft once, and says so where it has started', async () => {
    const { db, workspaceId } = flows.api;
    const campaignId = '0193a6f0-0000-7000-8000-00000000000a';
    await db.systemPool.query(
      `INSERT INTO campaigns (id, workspace_id, name, custom_message, audience, audience_size, status)
       VALUES ($1, $2, 'Autumn', 'Hello', '{"contactIds": []}', 0, 'draft')`,
      [campaignId, workspaceId],
    );
    const { id } = await flows.publish(oneStep('add_to_campaign', { campaign: campaignId }));
    const contact = await go();
    await flows.endOf(id);
    const { rows } = await db.systemPool.query(
      'SELECT audience, audience_size FROM campaigns WHERE id = $1',
      [campaignId],
    );
    expect(rows).toEqual([{ audience: { contactIds: [contact.id] }, audience_size: 1 }]);
    await db.systemPool.query(`UPDATE campaigns SET status = 'cancelled' WHERE id = $1`, [campaignId]);
    const other = await go();
    await flows.endOf(id);
    expect((await flows.contact(other.id)).tags).toEqual(['go', 'badly']);
  });
});

test('email_notification reaches the owner once, with the values of the run', async () => {
  const { id } = await flows.publish(
    oneStep('email_notification', { to: 'owner', subject: 'New lead:\n{{contact.name}}', text: 'Hi!' }),
  );
  const before = flows.api.mails.length;
  await go();
  await flows.endOf(id);
  const mails = flows.api.mails.slice(before).filter(({ text }) => text.startsWith('Hi!'));
  expect(mails).toMatchObject([{ to: 'admin@acme.test', subject: 'New lead: Ann Lee' }]);
});

describe('webhook_call', () => {
  const call = (config: object = {}) =>
    oneStep('webhook_call', { method: 'POST', url: `${address}/orders`, retries: 0, ...config });

  test('sends values that cannot break out of their place, and takes values out of the response', async () => {
    answer = (_, response) =>
      response.end(JSON.stringify({ order: { id: 7, lines: [{ sku: 'A1' }], zero: 'a\0b' } }));
    const { id } = await flows.publish({
      ...{ triggers: [tagged('go')], start: 'one' },
      steps: [
        step(
          'one',
          'webhook_call',
          {
            ...{ method: 'PUT', url: `${address}/c/{{contact.name}}`, json: '{"name": "{{contact.name}}"}' },
            headers: [{ name: 'X-Name', value: '{{contact.name}}' }],
            mapping: [
              { name: 'order', value: 'order.id' },
              { name: 'sku', value: 'order.lines.0.sku' },
              { name: 'none', value: 'order.gone' },
              { name: 'zero', value: 'order.zero' },
            ],
          },
          { next: { done: 'tag' } },
        ),
        step('tag', 'add_note', {
          text: '{{steps.one.status}} {{steps.one.order}} {{steps.one.sku}} [{{steps.one.none}}]',
        }),
      ],
    });
    await go({ name: 'Ann "A" & Lee?' });
    const { log } = await flows.endOf(id);
    expect(calls).toMatchObject([
      {
        ...{ method: 'PUT', path: '/c/Ann%20%22A%22%20%26%20Lee%3F' },
        ...{ body: '{"name": "Ann \\"A\\" & Lee?"}', headers: { 'x-name': 'Ann "A" & Lee?' } },
      },
    ]);
    expect(log[0]).toMatchObject({
      details: { status: 200, order: 7, sku: 'A1', none: null, zero: 'a\ufffdb' },
    });
    const { rows } = await flows.api.db.systemPool.query('SELECT request FROM flow_effects');
    expect(rows).toEqual([{ request: null }]);
  });

  longTest.each<[string, object, typeof answer, object]>([
    [
      'a status of an error',
      {},
      (_, response) => response.writeHead(404).end(),
      { code: 'http_404', details: { status: 404 } },
    ],
    [
      'a response of 50 MB',
      {},
      (_, response) => {
        response.on('error', () => {});
        response.writeHead(200, { 'content-length': 50 * 1024 * 1024 });
        response.write(Buffer.alloc(2 * 1024 * 1024));
      },
      { code: 'response_too_large' },
    ],
    [
      'endless redirects',
      {},
      (_, response) => response.writeHead(307, { location: '/orders' }).end(),
      { code: 'too_many_redirects' },
    ],
    ['a private address', { url: 'http://10.0.0.7/' }, () => {}, { code: 'address_refused' }],
    [
      'a connection that is lost: nobody knows',
      {},
      (_, response) => response.destroy(),
      { code: 'connection_lost', details: { isUnknown: true } },
    ],
    ['a body that is no JSON', { json: '{"name": {{contact.name}}}' }, () => {}, { code: 'body_invalid' }],
  ])('of %s is an error', async (_, config, responds, logged) => {
    answer = responds;
    const { id } = await flows.publish(call(config));
    const contact = await go();
    const { log } = await flows.endOf(id);
    expect(log[0]).toMatchObject({ event: 'left', exit: 'failed', ...logged });
    expect((await flows.contact(contact.id)).tags).toContain('badly');
  });

  test('with a response that is no JSON is done, and its values are empty', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('OK, thanks');
    const { id } = await flows.publish(call({ mapping: [{ name: 'order', value: 'order.id' }] }));
    await go();
    const { log, status } = await flows.endOf(id);
    expect([status, log[0]]).toMatchObject([
      'completed',
      { exit: 'done', details: { status: 200, order: null } },
    ]);
  });

  test('keeps a secret of a header to itself, and sends it to its own origin alone', async () => {
    answer = (_, response) => response.end('{}');
    const headers = [
      { name: 'Authorization', value: 'Bearer very-secret' },
      { name: 'X-Api-Key', value: '{{contact.name}}:very-secret:{{contact.email | none}}' },
      { name: 'X-Token', value: 'Bearer {{contact.name}}' },
      { name: 'Idempotency-Key', value: 'order-{{contact.name}}' },
    ];
    const made = await flows.publish(call({ headers }));
    expect(JSON.stringify(made)).not.toContain('very-secret');
    await go();
    await flows.endOf(made.id);
    expect(calls).toMatchObject([
      {
        headers: {
          ...{ authorization: 'Bearer very-secret', 'x-api-key': 'Ann Lee:very-secret:none' },
          ...{ 'x-token': 'Bearer Ann Lee', 'idempotency-key': 'order-Ann Lee' },
        },
      },
    ]);
    const { rows } = await flows.api.db.systemPool.query(
      `SELECT (SELECT jsonb_agg(to_jsonb(v)) FROM flow_versions v)::text || (SELECT jsonb_agg(to_jsonb(l)) FROM flow_log l)::text AS stored`,
    );
    expect(rows[0].stored).not.toContain('very-secret');
    const [first, ...others] = made.flow.steps;
    const elsewhere = { ...first!, config: { ...first!.config, url: 'https://elsewhere.example/' } };
    const checked = await flows.admin.post('/api/workflows/check', {
      flow: { ...made.flow, steps: [elsewhere, ...others] },
    });
    expect(await checked.json()).toMatchObject({
      problems: [1, 2].map(() => ({ code: 'reference_gone', id: 'one', field: 'headers' })),
    });
    const again = await flows.admin.put(`/api/workflows/${made.id}`, { ...made.flow, version: made.version });
    expect((await again.json<{ flow: object; problems: object[] }>()).problems).toEqual([]);
  });

  test('tries again only what the step says may be repeated', async () => {
    answer = (_, response) => (calls.length % 2 === 1 ? response.destroy() : response.end('{}'));
    for (const [mayRepeat, exit] of [
      [false, 'badly'],
      [true, 'well'],
    ] as const) {
      calls = [];
      const { id } = await flows.publish(call({ retries: 1, mayRepeat }));
      const contact = await go();
      await flows.endOf(id);
      expect([calls.length, (await flows.contact(contact.id)).tags.at(-1)]).toEqual([
        mayRepeat ? 2 : 1,
        exit,
      ]);
      await flows.api.db.systemPool.query('DELETE FROM flows');
    }
  });
});
