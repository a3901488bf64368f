import { createRequire } from 'node:module';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

/*
 * The public client of a vendor against its stand-in (docs/decisions/143-public-clients-of-vendors.md). That of Shopify is in
 * packages/providers/test/shopify.test.ts.
 */
type Answer = Record<string, unknown>;
/** What is used of the client. */
type SlackClient = {
  apiCall(method: string, options?: object): Promise<Answer>;
  paginate(method: string, options: object): AsyncIterable<Answer>;
};
const { WebClient } = createRequire(import.meta.url)('@slack/web-api') as {
  WebClient: new (token: string | undefined, options: object) => SlackClient;
};

const sandbox = createSandbox();
const { url } = await sandbox.start({ port: 0 });
afterAll(() => sandbox.close());
beforeEach(() => sandbox.slack.reset());
const open = (token?: string) =>
  new WebClient(token, { slackApiUrl: `${url}/slack/api/`, retryConfig: { retries: 0 } });

test('Slack’s client lists channels by pages, posts, replies in a thread and reads what it posted', async () => {
  const slack = open('xoxb-sandbox-slack-token');
  expect(await slack.apiCall('auth.test')).toMatchObject({ ok: true, team_id: 'T0SANDBOX' });
  const pages: unknown[] = [];
  const options = { types: 'public_channel,private_channel', limit: 2 };
  for await (const { channels } of slack.paginate('conversations.list', options)) pages.push(channels);
  expect(pages).toMatchObject([[{ name: 'sales' }, { name: 'support' }], [{ name: 'leadership' }]]);
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Ana*' } }];
  const metadata = { event_type: 'messaging_event', event_payload: { id: 'e1' } };
  const channel = 'C0SALES';
  const { ts } = await slack.apiCall('chat.postMessage', { channel, text: 'Ana', blocks, metadata });
  expect(sandbox.slack.posts).toMatchObject([{ text: 'Ana', blocks, metadata }]);
  await slack.apiCall('chat.postMessage', { channel, text: 'More', thread_ts: ts });
  const replies = await slack.apiCall('conversations.replies', { channel, ts, include_all_metadata: true });
  expect(replies['messages']).toMatchObject([
    { text: 'Ana', metadata },
    { text: 'More', thread_ts: ts },
  ]);
  expect(await slack.apiCall('users.info', { user: 'U0ANNA' })).toMatchObject({
    ...{ user: { real_name: 'Anna Ferrer' } },
  });
  await expect(slack.apiCall('chat.postMessage', { channel: 'C0NONE', text: 'x' })).rejects.toMatchObject({
    data: { error: 'channel_not_found' },
  });
});

test('Slack’s client exchanges a code once, and revokes its token', async () => {
  const redirect = 'https://app.test/dashboard/integrations';
  sandbox.slack.codes.set('c1', { redirectUrl: redirect, expiresAt: Date.now() + 60_000 });
  const app = { client_id: 'sandbox-slack-client', client_secret: 'sandbox-slack-client-secret' };
  const exchange = () => open().apiCall('oauth.v2.access', { ...app, code: 'c1', redirect_uri: redirect });
  const { access_token: token } = await exchange();
  await expect(exchange()).rejects.toMatchObject({ data: { error: 'invalid_code' } });
  const slack = open(String(token));
  expect(await slack.apiCall('auth.revoke')).toMatchObject({ revoked: true });
  await expect(slack.apiCall('auth.test')).rejects.toMatchObject({ data: { error: 'invalid_auth' } });
});
