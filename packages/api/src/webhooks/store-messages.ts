import type pg from 'pg';
import { newId } from '@app/database/new-id';
import { readConsentKeyword } from '@app/domain/contacts/opt-out-keywords';
import type { InboundContent, MessageReceived } from '@app/domain/messaging/inbound-event';
import { findContacts, type ContactRef } from './find-contacts.ts';
import { storableJson, storableText } from './storable.ts';

export type OwnedMessage = { event: MessageReceived; workspaceId: string; channelId: string };

const DAY_MS = 24 * 3_600_000;

/**
 * Adds messages to their contacts' conversations and makes contacts of people who write for the first time.
 * An inbound message opens the 24-hour window from the platform's own time stamp, and STOP or START as a whole
 * message ends or renews consent. Answers with the contacts that got a new message.
 */
export async function storeMessages(
  client: pg.PoolClient,
  messages: readonly OwnedMessage[],
): Promise<ContactRef[]> {
  if (messages.length === 0) return [];
  const contacts = await findContacts(
    client,
    messages.map(({ event, workspaceId }) => ({ workspaceId, person: event.person })),
  );
  const owned = messages.map((message) => ({
    ...message,
    id: newId(),
    contactId: contacts.idOf(message.workspaceId, message.event.person),
    text: describeContent(message.event.content),
  }));
  const { rows } = await client.query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                          $9::jsonb[], $10::timestamptz[])
     ON CONFLICT (workspace_id, provider_message_id) DO NOTHING RETURNING id`,
    [
      owned.map(({ id }) => id),
      owned.map(({ workspaceId }) => workspaceId),
      owned.map(({ channelId }) => channelId),
      owned.map(({ contactId }) => contactId),
      owned.map(({ event }) => event.direction),
      owned.map(({ event }) => storableText(event.messageId)),
      owned.map(({ event }) => event.content.type),
      owned.map(({ text }) => text),
      owned.map(({ event }) => storableJson(event.raw)),
      owned.map(({ event }) => new Date(event.occurredAt)),
    ],
  );
  const freshIds = new Set(rows.map(({ id }) => id));
  const fresh = owned.filter(({ id, contactId }) => contactId !== null && freshIds.has(id));
  if (fresh.length === 0) return [];
  await client.query(
    `UPDATE contacts c SET
       last_message = CASE WHEN c.last_message_at IS NULL OR n.said_at >= c.last_message_at THEN n.said ELSE c.last_message END,
       last_message_at = greatest(c.last_message_at, n.said_at),
       window_expires_at = greatest(c.window_expires_at, n.window_expires_at),
       opted_out_at = CASE n.consent WHEN 'stop' THEN coalesce(c.opted_out_at, n.said_at) WHEN 'start' THEN NULL ELSE c.opted_out_at END
     FROM (SELECT DISTINCT ON (contact_id) contact_id, said, said_at,
                  max(window_expires_at) OVER (PARTITION BY contact_id) AS window_expires_at,
                  first_value(consent) OVER (PARTITION BY contact_id ORDER BY consent IS NULL, said_at DESC) AS consent
             FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[])
                  AS m (contact_id, said, said_at, window_expires_at, consent)
            ORDER BY contact_id, said_at DESC) n
     WHERE c.id = n.contact_id`,
    [
      fresh.map(({ contactId }) => contactId),
      fresh.map(({ text }) => text),
      fresh.map(({ event }) => new Date(event.occurredAt)),
      fresh.map(({ event }) => (opensWindow(event) ? new Date(event.occurredAt + DAY_MS) : null)),
      fresh.map(({ event }) => readConsent(event)),
    ],
  );
  return fresh.flatMap(({ workspaceId, contactId }) =>
    contactId === null ? [] : [{ workspaceId, contactId }],
  );
}

function opensWindow(event: MessageReceived): boolean {
  return event.direction === 'in' && event.groupId === null;
}

function readConsent(event: MessageReceived): 'stop' | 'start' | null {
  if (event.direction !== 'in' || event.origin === 'history') return null;
  if (event.content.type === 'text') return readConsentKeyword(event.content.body);
  return event.content.type === 'button_reply' ? readConsentKeyword(event.content.title) : null;
}

/** One line for lists and previews; the whole message stays in the payload. */
function describeContent(content: InboundContent): string {
  return storableText(lineOf(content));
}

function lineOf(content: InboundContent): string {
  switch (content.type) {
    case 'text':
      return content.body;
    case 'media':
      return content.caption ?? content.filename ?? `[${content.kind}]`;
    case 'button_reply':
    case 'list_reply':
      return content.title;
    case 'reaction':
      return content.emoji;
    case 'location':
      return content.name ?? `[location] ${content.latitude}, ${content.longitude}`;
    case 'edit':
      return lineOf(content.content);
    case 'flow_reply':
      return content.text ?? '[form]';
    case 'order':
      return content.text || '[order]';
    default:
      return `[${content.type}]`;
  }
}
