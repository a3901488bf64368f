import { currentDeliveryStatus, type DeliveryTimeline } from '../messaging/delivery-status.ts';

/**
 * How far a single message has come on this side. `scheduled`: it waits for its time, and is guarded then. `queued`: its intent is committed, nothing has left. `sending`: it is being
 * handed to the platform. The others are ends: `unknown` becomes `accepted` when the platform reports the message, and is never
 * sent again by the machine; `cancelled` never left; `refused` the platform did not take.
 */
export type MessageState =
  | 'scheduled'
  | 'queued'
  | 'sending'
  | 'accepted'
  | 'refused'
  | 'cancelled'
  | 'unknown';

/** What a person may decide of a message of which nobody knows whether it left. */
export const messageDecisions = ['sent', 'send_again'] as const;
export type MessageDecision = (typeof messageDecisions)[number];

/** What people see of a message of ours. */
export const shownStates = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
  'unknown',
] as const;
export type ShownState = (typeof shownStates)[number];

/** Times in milliseconds. Messages that somebody wrote elsewhere have no state of ours and were sent. */
export function shownState(state: MessageState | null, times: DeliveryTimeline): ShownState {
  if (state === 'refused') return 'failed';
  if (state !== null && state !== 'accepted') return state;
  const status = currentDeliveryStatus(times);
  if (status === 'played') return 'read';
  return status === 'accepted' ? 'sent' : status;
}

/** The contact, somebody in an app of the platform, a campaign, or the kind of caller who sent it from here. */
export const messageAuthors = [
  'contact',
  'app',
  'campaign',
  'person',
  'api-key',
  'automation',
  'bot',
  'integration',
  'system',
] as const;
export type MessageAuthor = (typeof messageAuthors)[number];
