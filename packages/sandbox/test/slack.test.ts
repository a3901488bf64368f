import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';
import { SLACK_TOKEN } from '../src/slack/slack-account.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.slack.reset());

async function ask(method: string, body: Record<string, unknown>, token = SLACK_TOKEN) {
  const isJson = method === 'chat.postMessage';
  const form = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]));
  const answer = await sandbox.fetch(
    new Request(`http://127.0.0.1/slack/api/${method}`, {
      ...{ method: 'POST', body: isJson ? JSON.stringify(body) : form },
      headers: {
        ...{ authorization: `Bearer ${token}` },
        ...(isJson && { 'content-type': 'application/json' }),
      },
    }),
  );
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('posts into channels and threads, and errors are 200 with ok false', async () => {
  expect((await ask('auth.test', {}, 'xoxb-other')).body).toEqual({ ok: false, error: 'invalid_auth' });
  const first = await ask('chat.postMessage', { channel: 'C0SALES', text: 'Hello' });
  expect(first.body).toMatchObject({ ok: true, channel: 'C0SALES' });
  await ask('chat.postMessage', { channel: 'C0SALES', text: 'There', thread_ts: first.body['ts'] });
  const replies = await ask('conversations.replies', { channel: 'C0SALES', ts: first.body['ts'] });
  expect(replies.body['messages']).toHaveLength(2);
  const history = await ask('conversations.history', { channel: 'C0SALES' });
  expect(history.body['messages']).toHaveLength(1);
  expect((await ask('chat.postMessage', { channel: 'C9', text: 'x' })).body['error']).toBe(
    'channel_not_found',
  );
  expect((await ask('chat.postMessage', { channel: 'C0SALES' })).body['error']).toBe('no_text');
});

test('lists the types of channels that are asked for, and reads no JSON where Slack takes a form', async () => {
  const names = async (types: string) => {
    const { body } = await ask('conversations.list', { types });
    return (body['channels'] as { name: string }[]).map(({ name }) => name);
  };
  expect(await names('public_channel')).toEqual(['sales', 'support']);
  expect(await names('public_channel,private_channel')).toEqual(['sales', 'support', 'leadership']);
  const answer = await sandbox.fetch(
    new Request('http://127.0.0.1/slack/api/conversations.history', {
      ...{ method: 'POST', body: JSON.stringify({ channel: 'C0SALES' }) },
      headers: { authorization: `Bearer ${SLACK_TOKEN}`, 'content-type': 'application/json' },
    }),
  );
  expect(await answer.json()).toEqual({ ok: false, error: 'invalid_arguments' });
});

test('a limit is 429 with its pause, and a revoked token is refused', async () => {
  Object.assign(sandbox.slack.behaviour, { rejectNext: 1, isRevoked: true });
  expect((await ask('auth.test', {})).status).toBe(429);
  expect((await ask('auth.test', {})).body['error']).toBe('token_revoked');
});
