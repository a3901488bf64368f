import { expect, test } from 'vitest';
import { slackSetupUrl } from '../src/slack/slack-setup-url.ts';

const manifestOf = (webhookUrl: string) =>
  JSON.parse(new URL(slackSetupUrl({ webhookUrl })).searchParams.get('manifest_json') ?? '');

test('the page that creates a Slack app is filled in with its scopes and the address for replies', () => {
  const url = 'https://chat.example/webhooks/slack/acme';
  expect(slackSetupUrl({ webhookUrl: url })).toMatch(/^https:\/\/api\.slack\.com\/apps\?new_app=1&/);
  expect(manifestOf(url)).toMatchObject({
    oauth_config: { scopes: { bot: expect.arrayContaining(['chat:write', 'channels:history']) } },
    settings: { event_subscriptions: { request_url: url } },
  });
});

test('an installation that Slack cannot reach has no address for replies', () => {
  expect(manifestOf('http://localhost:4000/webhooks/slack/acme')).not.toHaveProperty('settings');
});
