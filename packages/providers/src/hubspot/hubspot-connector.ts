import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { askService } from '../calls/ask-service.ts';
import { recordOf, textOf } from '../calls/json-values.ts';
import { VERSION, type HubspotAsk } from './hubspot-ask.ts';
import { createHubspotContacts } from './hubspot-contacts.ts';
import { OPT_OUT_PROPERTY } from './hubspot-fields.ts';
import { createHubspotNotes } from './hubspot-notes.ts';
import { readHubspotProblem } from './hubspot-problem.ts';
import { hubspotWebhooks } from './hubspot-webhooks.ts';

const ORIGIN = 'https://api.hubapi.com';

const EVENT_TIMEOUT_MS = 3_000;

/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = { accessToken: 'sandbox-hubspot-token', appSecret: 'sandbox-hubspot-secret' };

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function hubspotConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'hubspot',
    title: 'HubSpot',
    category: 'crm',
    type: 'crm',
    features: ['contactSync', 'twoWay', 'fieldMapping', 'optOuts', 'notes', 'webhooks'],
    // A starter account allows 100 requests in 10 s, and 5 searches a second.
    limit: { perSecond: 4, atOnce: 2 },
    credentials: {
      version: 1,
      fields: [
        { name: 'accessToken', label: 'serviceKey', isSecret: true, format: 'text' },
        {
          ...{ name: 'appSecret', label: 'appSecret', isSecret: true, format: 'text' as const },
          ...{ isOptional: true as const, isAdvanced: true as const },
        },
      ],
    },
    setupUrl: () => 'https://app.hubspot.com/',
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    contacts: {
      mapping: [
        { ours: 'name', theirs: 'name', direction: 'both', wins: 'newest' },
        { ours: 'phone', theirs: 'phone', direction: 'both', wins: 'newest' },
        { ours: 'email', theirs: 'email', direction: 'both', wins: 'newest' },
        { ours: 'opt_out', theirs: OPT_OUT_PROPERTY, direction: 'both', wins: 'newest' },
      ],
      optOutField: OPT_OUT_PROPERTY,
    },
    events: {
      topics: [
        ...(['handoffs', 'resolved', 'optOuts'] as const).map((name) => ({ name })),
        ...(['replies', 'messagesSent', 'campaignOutcomes'] as const).map((name) => ({
          ...{ name, isOffAtFirst: true as const },
        })),
      ],
      // Half of what a small account allows, beside a sync.
      perSecond: 2,
      // A note carries the id of its event: before a second attempt it is looked for.
      withoutAnswer: 'again',
    },
    webhooks: hubspotWebhooks,
    open: (credentials, { call }) => openAccount(credentials, call, sandboxUrl),
  };
}

function openAccount(
  { accessToken = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const isSandbox = sandboxUrl !== undefined && accessToken === SANDBOX.accessToken;
  const origin = isSandbox ? `${sandboxUrl}/hubspot` : ORIGIN;
  const askBy =
    (through: ConnectorCall): HubspotAsk =>
    (method, path, body, mayRepeat = true) =>
      askService(
        through,
        {
          ...{ method, url: `${origin}${path}`, mayRepeat },
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        },
        readHubspotProblem,
      );
  const ask = askBy(call);
  // One attempt of an event: a look and a note within ten seconds.
  const askOnce = askBy((request) =>
    call({ ...request, timeoutMs: EVENT_TIMEOUT_MS, retry: { attempts: 1 } }),
  );
  return {
    async check() {
      const details = await ask('GET', `/account-info/${VERSION}/details`);
      // A service key may be allowed contacts and nothing else.
      const reply =
        !details.ok && details.problem === 'permission_missing'
          ? await ask('GET', `/crm/objects/${VERSION}/contacts?limit=1`)
          : details;
      if (!reply.ok) return { state: 'unhealthy', problem: reply.problem, detail: reply.detail };
      const { portalId, uiDomain, results } = recordOf(reply.value.body);
      if (portalId === undefined && !Array.isArray(results))
        return { state: 'unhealthy', problem: 'response_unreadable', detail: null };
      const account = [textOf(uiDomain), typeof portalId === 'number' ? String(portalId) : textOf(portalId)];
      return { state: 'healthy', account: account.filter(Boolean).join(' · ') || null };
    },
    contacts: createHubspotContacts(ask),
    events: createHubspotNotes(askOnce),
  };
}
