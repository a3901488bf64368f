import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { TEST_EVENT } from '@app/domain/webhook-endpoints/webhook-events';
import { recordOf, textOf } from '../calls/json-values.ts';
import { outcomeOfSend, SEND_TIMEOUT_MS } from '../calls/send-event.ts';
import { clientIdOf, measure, OLDEST_MS, type Measurement } from './google-analytics-event.ts';

const ORIGIN = 'https://www.google-analytics.com';
/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = { measurementId: 'G-SANDBOX01', apiSecret: 'sandbox-google-analytics-secret' };

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function googleAnalyticsConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'google_analytics',
    title: 'Google Analytics',
    category: 'analytics',
    type: 'analytics',
    features: ['campaignEvents', 'taggedLinks', 'conversationEvents'],
    limit: { perSecond: 20, atOnce: 4 },
    credentials: {
      version: 1,
      fields: [
        { name: 'measurementId', label: 'measurementId', isSecret: false, format: 'text' },
        { name: 'apiSecret', label: 'apiSecret', isSecret: true, format: 'text' },
      ],
    },
    setupUrl: () => 'https://analytics.google.com/',
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    events: {
      topics: [
        { name: 'campaigns' },
        { name: 'campaignResults' },
        { name: 'replies' },
        { name: 'optOuts' },
        { name: 'newContacts', isOffAtFirst: true },
        { name: 'linkTags', isOffAtFirst: true },
      ],
      perSecond: 20,
      // The vendor counts what arrives twice as two.
      withoutAnswer: 'never',
    },
    open: (credentials, { call }) => openProperty(credentials, call, sandboxUrl),
  };
}

function openProperty(
  { measurementId = '', apiSecret = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const id = measurementId.trim().toUpperCase();
  const isSandbox = sandboxUrl !== undefined && apiSecret === SANDBOX.apiSecret;
  const origin = isSandbox ? `${sandboxUrl}/google_analytics` : ORIGIN;
  const post = (path: string, body: Measurement) =>
    call({
      ...{ method: 'POST', timeoutMs: SEND_TIMEOUT_MS, body: JSON.stringify(body) },
      url: `${origin}${path}?${new URLSearchParams({ measurement_id: id, api_secret: apiSecret })}`,
      headers: { 'content-type': 'application/json' },
    });

  /** Asks whether the vendor can read it; nothing is counted. It says nothing about the ID and the secret. */
  async function validate(body: Measurement) {
    const outcome = await post('/debug/mp/collect', body);
    const sent = outcomeOfSend(outcome);
    if (outcome.outcome !== 'ok') return { sent, complaint: null };
    const { validationMessages: said } = recordOf(outcome.response.json());
    if (!Array.isArray(said)) return { sent, complaint: null, isUnreadable: true };
    const [first] = said.map(recordOf);
    const words = first && [textOf(first['validationCode']), textOf(first['description'])];
    return { sent, complaint: words?.filter(Boolean).join(': ') ?? null };
  }

  return {
    async check() {
      if (!/^G-[A-Z0-9]{4,20}$/.test(id))
        return { state: 'unhealthy', problem: 'account_unknown', detail: measurementId.slice(0, 100) };
      const { sent, complaint, isUnreadable } = await validate(sample());
      if (sent.outcome === 'failed')
        return { state: 'unhealthy', problem: sent.problem, detail: sent.detail };
      if (sent.outcome !== 'sent' || complaint !== null)
        return { state: 'unhealthy', problem: 'service_rejected', detail: complaint };
      if (isUnreadable) return { state: 'unhealthy', problem: 'response_unreadable', detail: null };
      return { state: 'healthy', account: id };
    },
    events: {
      async send(event) {
        const body = measure(event);
        if (!body) return { outcome: 'skipped' };
        if (Date.now() - Date.parse(event.occurredAt) > OLDEST_MS)
          return { outcome: 'refused', detail: 'Google Analytics takes no events older than 72 hours.' };
        // A test shows first whether the vendor can read events of this form: to the event itself it always says yes.
        if (event.type === TEST_EVENT) {
          const { sent, complaint } = await validate(body);
          if (sent.outcome !== 'sent') return sent;
          if (complaint !== null) return { outcome: 'refused', detail: complaint.slice(0, 300) };
        }
        return outcomeOfSend(await post('/mp/collect', body));
      },
    },
  };
}

function sample(): Measurement {
  return {
    ...{ client_id: clientIdOf('sample'), timestamp_micros: String(Date.now() * 1_000) },
    consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' },
    events: [{ name: 'msg_test', params: { session_id: '1', engagement_time_msec: 1 } }],
  };
}
