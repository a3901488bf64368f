import { createHash } from 'node:crypto';
import {
  CAMPAIGN_RESULTS,
  campaignCounts,
  type CampaignCount,
  type ConnectorEvent,
} from '@app/domain/integrations/event-connector';
import { campaignParametersOf } from '@app/domain/integrations/tagged-links';
import { TEST_EVENT } from '@app/domain/webhook-endpoints/webhook-events';

/** developers.google.com, Measurement Protocol: what is older is not taken. */
export const OLDEST_MS = 72 * 3_600_000;
const LONGEST_VALUE = 100;

export type MeasuredEvent = { name: string; params: Record<string, string | number> };
export type Measurement = {
  client_id: string;
  user_id?: string;
  timestamp_micros: string;
  consent: { ad_user_data: 'DENIED'; ad_personalization: 'DENIED' };
  events: MeasuredEvent[];
};

/**
 * What an event is in Google Analytics; null for one that has no meaning there. Never a name of a person, a number, an address or a text: the terms
 * of Google forbid personal data.
 */
export function measure(event: ConnectorEvent): Measurement | null {
  const measured = readEvents(event);
  if (measured.length === 0) return null;
  const at = Date.parse(event.occurredAt);
  const about = event.contact?.id ?? event.campaign?.id ?? event.id;
  const campaign = event.campaign && {
    campaign_id: event.campaign.id,
    ...campaignParametersOf(event.campaign),
  };
  // Without these two, events stay out of the realtime view and the reports of sessions.
  const session = { session_id: String(Math.floor(at / 1_000)), engagement_time_msec: 1 };
  return {
    client_id: clientIdOf(about),
    ...(event.contact && { user_id: event.contact.id }),
    timestamp_micros: String(at * 1_000),
    // Nobody agreed to advertisements of Google here.
    consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' },
    events: measured.map(({ name, params }) => ({
      name,
      params: cut({ ...session, ...campaign, ...params }),
    })),
  };
}

const countNames = {
  ...{ sent: 'msg_sent', delivered: 'msg_delivered', read: 'msg_read' },
  ...{ clicked: 'msg_clicked', converted: 'msg_converted' },
} satisfies Record<CampaignCount, string>;

function readEvents({ type, data, messages }: ConnectorEvent): MeasuredEvent[] {
  const numbers = (...names: string[]) =>
    Object.fromEntries(names.flatMap((name) => (typeof data[name] === 'number' ? [[name, data[name]]] : [])));
  switch (type) {
    case TEST_EVENT:
      return [{ name: 'msg_test', params: {} }];
    case 'campaign.started':
      return [{ name: 'msg_campaign_started', params: {} }];
    case 'campaign.completed':
      return [{ name: 'msg_campaign_completed', params: numbers('total', 'sent', 'failed') }];
    case CAMPAIGN_RESULTS:
      return campaignCounts.flatMap((count) => {
        const value = data[count];
        return typeof value === 'number' ? [{ name: countNames[count], params: { value } }] : [];
      });
    case 'messages.arrived':
      return [{ name: 'msg_replied', params: { value: Math.max(messages.length, 1) } }];
    case 'contact.consent_recorded':
    case 'consents.said':
      return [{ name: data['kind'] === 'opt_in' ? 'msg_optin' : 'msg_optout', params: {} }];
    case 'contact.created':
    case 'contacts.created':
      return [{ name: 'generate_lead', params: {} }];
    default:
      return [];
  }
}

function cut(params: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? Array.from(value).slice(0, LONGEST_VALUE).join('') : value,
    ]),
  );
}

/** The same for each event of a person, in the form of the vendor's own: two numbers. It follows from the id here and says nothing else of the person. */
export function clientIdOf(id: string): string {
  const digest = createHash('sha256').update(`google analytics ${id}`).digest();
  return `${1_000_000_000 + (digest.readUInt32BE(0) % 1_000_000_000)}.${1_000_000_000 + (digest.readUInt32BE(4) % 1_000_000_000)}`;
}
