import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { flatEvent } from '@app/domain/integrations/flat-event';
import { TEST_EVENT } from '@app/domain/webhook-endpoints/webhook-events';
import { outcomeOfSend, SEND_TIMEOUT_MS } from '../calls/send-event.ts';

/** Catch hooks live there: help.zapier.com, "Trigger Zaps from webhooks". */
const ORIGIN = 'https://hooks.zapier.com/';
const SANDBOX_HOOK = '/zapier/hooks/catch/4242/sandbox/';

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function zapierConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'zapier',
    title: 'Zapier',
    category: 'automation',
    type: 'zapier',
    features: ['catchHooks', 'events', 'actions', 'samples'],
    // A hook takes 30 requests a second, and 10,000 in five minutes.
    limit: { perSecond: 30, atOnce: 4 },
    credentials: {
      version: 1,
      fields: [{ name: 'webhookUrl', label: 'catchHook', isSecret: true, format: 'url', isOptional: true }],
    },
    setupUrl: () => 'https://zapier.com/app/editor',
    ...(sandboxUrl !== undefined && { sandbox: { webhookUrl: `${sandboxUrl}${SANDBOX_HOOK}` } }),
    events: {
      topics: [
        ...(['newContacts', 'tags', 'optOuts', 'newChats'] as const).map((name) => ({ name })),
        ...[{ name: 'handoffs' as const }, { name: 'campaigns' as const }],
      ],
      perSecond: 25,
      // The object has an id, by which a Zap drops a double.
      withoutAnswer: 'again',
      hasHooks: true,
    },
    open: (credentials, { call }) => openAccount(credentials, call, sandboxUrl),
  };
}

function openAccount(
  { webhookUrl = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const origins = [ORIGIN, ...(sandboxUrl === undefined ? [] : [`${sandboxUrl}/zapier/`])];
  const isZapier = (url: string) => origins.some((origin) => url.startsWith(origin));
  const post = async (url: string, body: object) =>
    call({
      ...{ method: 'POST', url, body: JSON.stringify(body), timeoutMs: SEND_TIMEOUT_MS },
      headers: { 'content-type': 'application/json' },
    });
  return {
    // Zapier answers yes whether a Zap is on or not: a test shows only that the address is one of its own.
    async check({ isNew } = { isNew: false }) {
      if (webhookUrl === '') return { state: 'healthy', account: null };
      if (!isZapier(webhookUrl))
        return { state: 'unhealthy', problem: 'account_unknown', detail: 'hooks.zapier.com' };
      if (isNew) {
        const sent = outcomeOfSend(
          await post(webhookUrl, {
            id: TEST_EVENT,
            event: TEST_EVENT,
            occurred_at: new Date().toISOString(),
          }),
        );
        if (sent.outcome === 'failed')
          return { state: 'unhealthy', problem: sent.problem, detail: sent.detail };
        if (sent.outcome !== 'sent') return { state: 'unhealthy', problem: 'service_rejected', detail: null };
      }
      return { state: 'healthy', account: accountOf(webhookUrl) };
    },
    events: {
      async send(event) {
        const url = event.hookUrl ?? webhookUrl;
        // Without a hook of its own the connection serves those that Zaps subscribed.
        if (url === '') return { outcome: 'skipped' };
        const outcome = await post(url, flatEvent(event));
        // A Zap that was switched off unsubscribes by this answer (REST hooks).
        const isGone = outcome.outcome === 'rejected' && outcome.response.status === 410;
        if (isGone && event.hookUrl !== null) return { outcome: 'gone' };
        return isGone
          ? {
              outcome: 'failed',
              problem: 'account_unknown',
              detail: null,
              retryAfterMs: null,
              isUnknown: false,
            }
          : outcomeOfSend(outcome);
      },
    },
  };
}

/** The number of the account stands in the address. */
function accountOf(url: string): string | null {
  return /\/hooks\/catch\/(\d+)\//.exec(url)?.[1] ?? null;
}
