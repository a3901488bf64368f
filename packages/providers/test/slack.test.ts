import { expect, test } from 'vitest';
import { slackSetupUrl } from '../src/slack/slack-setup-url.ts';

const manifestOf = (webhookUrl: string, redirectUrl = 'http://localhost:4000/dashboard/integrations') =>
  JSON.parse(new URL(slackSetupUrl({ webhookUrl, redirectUrl })).searchParams.get('manifest_json') ?? '');

test('the page that creates a Slack app is filled in with its scopes and the address for replies', () => {
  const url = 'https://chat.example/webhooks/slack/acme';
  expect(slackSetupUrl({ webhookUrl: url, redirectUrl: url })).toMatch(
    /^https:\/\/api\.slack\.com\/apps\?new_app=1&/,
  );
  const back = 'https://chat.example/dashboard/integrations';
  expect(manifestOf(url, back)).toMatchObject({
    oauth_config: {
      redirect_urls: [back],
      scopes: { bot: expect.arrayContaining(['chat:write', 'channels:history']) },
    },
    settings: { event_subscriptions: { request_url: url } },
  });
});

test('an installation that Slack cannot reach has no address for replies', () => {
  expect(manifestOf('http://localhost:4000/webhooks/slack/acme')).not.toHaveProperty('settings');
  expect(manifestOf('http://localhost:4000/x').oauth_config).not.toHaveProperty('redirect_urls');
});
