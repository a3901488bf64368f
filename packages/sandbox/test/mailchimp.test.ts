import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.mailchimp.reset());

type Member = { id: string; contact_id: string; status: string; email_address: string };
async function ask(method: string, path: string, body?: object, key = 'sandboxmailchimpkey-us1') {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1/mailchimp/3.0${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Member & { members: Member[] } };
}
const LIST = '/lists/a1b2c3d4e5';

test('knows its key and its audience', async () => {
  expect((await ask('GET', '/ping', undefined, 'another-us1')).status).toBe(401);
  expect((await ask('GET', '/ping')).status).toBe(200);
  expect((await ask('GET', '/lists/other/members')).status).toBe(404);
  expect((await ask('GET', `${LIST}/members?count=100`)).body.members).toHaveLength(8);
});

test('puts a member once, changes it by any of its keys, and keeps a status that nobody sent', async () => {
  const body = {
    email_address: 'ana@shop.test',
    status_if_new: 'transactional',
    merge_fields: { FNAME: 'Ana' },
  };
  const made = await ask('PUT', `${LIST}/members/1320fc6c8d7a5e4b905708bb8db5c757`, body);
  expect(made.body).toMatchObject({ id: '1320fc6c8d7a5e4b905708bb8db5c757', status: 'transactional' });
  const again = await ask('PUT', `${LIST}/members/1320fc6c8d7a5e4b905708bb8db5c757`, {
    ...body,
    status_if_new: 'subscribed',
  });
  expect(again.body).toMatchObject({ contact_id: made.body.contact_id, status: 'transactional' });
  const moved = await ask('PATCH', `${LIST}/members/${made.body.contact_id}`, {
    email_address: 'ana2@shop.test',
  });
  expect(moved.body).toMatchObject({ contact_id: made.body.contact_id, email_address: 'ana2@shop.test' });
  expect((await ask('GET', `${LIST}/members/ana2@shop.test`)).status).toBe(200);
  expect((await ask('PUT', `${LIST}/members/x`, { email_address: 'no address' })).status).toBe(400);
});

test('calls a webhook of the audience for the changes of people, and not for those of a program', async () => {
  const { url } = await sandbox.start({ port: 0 });
  const receiver = `${url}/_sandbox/receiver/audience`;
  const events = { subscribe: true, unsubscribe: true, profile: true, cleaned: true, upemail: true };
  const made = await ask('POST', `${LIST}/webhooks`, { url: receiver, events, sources: { admin: true } });
  const { id, signing_secret: secret } = made.body as unknown as { id: string; signing_secret: string };
  expect((await ask('POST', `${LIST}/webhooks`, { url: receiver, events })).status).toBe(400);
  expect((await ask('POST', `${LIST}/webhooks`, { url: `${url}/nothing-here`, events })).status).toBe(400);
  expect(JSON.stringify((await ask('GET', `${LIST}/webhooks`)).body)).not.toContain(secret);
  const [member] = [...sandbox.mailchimp.members.values()];
  await ask('PATCH', `${LIST}/members/${member!.contactId}`, { merge_fields: { FNAME: 'By a program' } });
  sandbox.mailchimp.putRecord(member!.contactId, { status: 'unsubscribed' });
  const path = '/_sandbox/receiver/audience/requests';
  type Received = { requests: { body: string; headers: Record<string, string> }[] };
  const received = async () => (await (await fetch(`${url}${path}`)).json()) as Received;
  await expect.poll(async () => (await received()).requests.filter(({ body }) => body !== '').length).toBe(1);
  const call = (await received()).requests.find(({ body }) => body !== '')!; // counted above
  expect(new URLSearchParams(call.body).get('type')).toBe('unsubscribe');
  const [, at, signature] = /^t=(\d+),v1=(.*)$/.exec(call.headers['x-mailchimp-signature'] ?? '') ?? [];
  expect(createHmac('sha256', secret).update(`${at}.${call.body}`).digest('hex')).toBe(signature);
  const gone = await sandbox.fetch(
    new Request(`http://127.0.0.1/mailchimp/3.0${LIST}/webhooks/${id}`, {
      ...{ method: 'DELETE', headers: { authorization: 'Bearer sandboxmailchimpkey-us1' } },
    }),
  );
  expect([gone.status, sandbox.mailchimp.webhooks.size]).toEqual([204, 0]);
});
