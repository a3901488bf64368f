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
