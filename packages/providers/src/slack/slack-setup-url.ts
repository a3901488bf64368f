/** What the bot may do: post, list the channels of the form, and read threads. */
const SCOPES = ['chat:write', 'channels:read', 'groups:read', 'channels:history', 'groups:history'];

/**
 * The page of Slack that creates an app, filled in: name, scopes and, where Slack can reach this installation, the address for replies from threads
 * (docs.slack.dev, app manifests).
 */
export function slackSetupUrl({ webhookUrl }: { webhookUrl: string }): string {
  const manifest = {
    display_information: { name: 'Messaging' },
    features: { bot_user: { display_name: 'messaging' } },
    oauth_config: { scopes: { bot: SCOPES } },
    // Slack refuses a manifest with an address that is not https.
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
