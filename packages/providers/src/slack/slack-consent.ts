import type { ConnectorConsent } from '@app/domain/integrations/connector-kind';
import { askService } from '../calls/ask-service.ts';
import { recordOf, textOf } from '../calls/json-values.ts';
import { SLACK_SCOPES } from './slack-setup-url.ts';

const ORIGIN = 'https://slack.com';
/** The app of the stand-in. */
const SANDBOX = {
  ...{ clientId: 'sandbox-slack-client', clientSecret: 'sandbox-slack-client-secret' },
  signingSecret: 'sandbox-slack-signing-secret',
};

/** OAuth v2: docs.slack.dev, installing with OAuth. */
export function slackConsent({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorConsent {
  const originOf = (clientId: string) =>
    sandboxUrl !== undefined && clientId === SANDBOX.clientId ? `${sandboxUrl}/slack` : ORIGIN;
  return {
    fields: [
      { name: 'clientId', label: 'slackClientId', isSecret: false, format: 'text' },
      { name: 'clientSecret', label: 'slackClientSecret', isSecret: true, format: 'text' },
      {
        ...{ name: 'signingSecret', label: 'signingSecret', isSecret: true, format: 'text' as const },
        ...{ isOptional: true as const, isAdvanced: true as const },
      },
    ],
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    addressOf({ clientId = '' }, { redirectUrl, state }) {
      const asked = { client_id: clientId, scope: SLACK_SCOPES.join(), redirect_uri: redirectUrl, state };
      return `${originOf(clientId)}/oauth/v2/authorize?${new URLSearchParams(asked).toString()}`;
    },
    async exchange(
      { clientId = '', clientSecret = '', signingSecret = '' },
      { code, redirectUrl },
      { call },
    ) {
      const reply = await askService(call, {
        ...{ method: 'POST', url: `${originOf(clientId)}/api/oauth.v2.access`, mayRepeat: false },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ code, redirect_uri: redirectUrl }).toString(),
      });
      if (!reply.ok) return reply;
      const { access_token: token, error } = recordOf(reply.value.body);
      const botToken = textOf(token);
      if (botToken !== null) return { ok: true, value: { botToken, signingSecret, byConsent: 'yes' } };
      const said = textOf(error);
      if (said === null)
        return { ok: false, problem: 'response_unreadable', detail: null, retryAfterMs: null };
      const isOfApp = ['invalid_client_id', 'bad_client_secret', 'oauth_authorization_url_mismatch'].includes(
        said,
      );
      const problem = isOfApp ? 'credentials_wrong' : 'service_rejected';
      return { ok: false, problem, detail: said.slice(0, 300), retryAfterMs: null };
    },
  };
}
