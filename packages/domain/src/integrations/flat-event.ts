import type { ConnectorEvent } from './event-connector.ts';

/** An event as one flat object, for services in which people pick values from a list. Its `id` is the same at each attempt. */
export function flatEvent({
  id,
  type,
  occurredAt,
  data,
  contact,
  conversation,
  messages,
  campaign,
}: ConnectorEvent): Record<string, unknown> {
  return {
    ...data,
    ...{ id, event: type, occurred_at: occurredAt },
    ...(contact && {
      ...{ contact_id: contact.id, contact_name: contact.name, contact_phone: contact.phone ?? '' },
      ...{ contact_email: contact.email ?? '', contact_tags: contact.tags.join(', ') },
    }),
    ...(conversation && { conversation_id: conversation.id, conversation_link: conversation.link }),
    ...(messages.length > 0 && {
      ...{ message_id: messages.at(-1)?.id, message_text: messages.map(({ text }) => text).join('\n') },
    }),
    ...(campaign && {
      ...{ campaign_id: campaign.id, campaign_name: campaign.name, campaign_link: campaign.link },
    }),
  };
}
