import type { InboundEvent } from '../messaging/inbound-event.ts';

/** What a call of a platform may tell of, in words that fit every platform. */
export const webhookTopics = [
  'message',
  'call',
  'status',
  'payment',
  'identity',
  'preference',
  'template',
  'account',
  'number',
  'form',
  'group',
  'contact_sync',
  'problem',
  'unknown',
] as const;
export type WebhookTopic = (typeof webhookTopics)[number];

export function topicOf(event: InboundEvent): WebhookTopic {
  switch (event.type) {
    case 'message_received':
      return event.content.type === 'call' ? 'call' : 'message';
    case 'call_progress':
      return 'call';
    case 'message_status':
      return 'status';
    case 'payment_event':
      return 'payment';
    case 'identity_changed':
      return 'identity';
    case 'preference_changed':
      return 'preference';
    case 'account_event':
      return event.about;
    case 'number_event':
      return 'number';
    case 'group_event':
      return 'group';
    case 'contact_synced':
      return 'contact_sync';
    case 'channel_problem':
      return 'problem';
    case 'unknown':
      return 'unknown';
    default:
      return 'template';
  }
}
