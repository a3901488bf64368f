import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';
import { SLACK_TOKEN } from '../src/slack/slack-account.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.slack.reset());

async function ask(method: string, body: object, token = SLACK_TOKEN) {
  const answer = await sandbox.fetch(
    new Request(`http://127.0.0.1/slack/api/${method}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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

test('a limit is 429 with its pause, and a revoked token is refused', async () => {
  Object.assign(sandbox.slack.behaviour, { rejectNext: 1, isRevoked: true });
  expect((await ask('auth.test', {})).status).toBe(429);
  expect((await ask('auth.test', {})).body['error']).toBe('token_revoked');
});
