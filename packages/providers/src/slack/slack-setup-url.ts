/** What the bot may do: post, list the channels of the form, and read threads. */
export const SLACK_SCOPES = [
  'chat:write',
  'channels:read',
  'groups:read',
  'channels:history',
  'groups:history',
];

/**
 * The page of Slack that creates an app, filled in: name, scopes and, where Slack can reach this installation, the address for replies from threads
 * (docs.slack.dev, app manifests).
 */
export function slackSetupUrl({
  webhookUrl,
  redirectUrl,
}: {
  webhookUrl: string;
  redirectUrl: string;
}): string {
  const manifest = {
    display_information: { name: 'Messaging' },
    features: { bot_user: { display_name: 'messaging' } },
    // Slack refuses a manifest with an address that is not https.
    oauth_config: {
      ...(redirectUrl.startsWith('https://') && { redirect_urls: [redirectUrl] }),
      scopes: { bot: SLACK_SCOPES },
    },
    ...(webhookUrl.startsWith('https://') && {
      settings: {
        event_subscriptions: {
          request_url: webhookUrl,
          bot_events: ['message.channels', 'message.groups'],
        },
      },
    }),
  };
  return `https://api.slack.com/apps?${new URLSearchParams({ new_app: '1', manifest_json: JSON.stringify(manifest) })}`;
}
