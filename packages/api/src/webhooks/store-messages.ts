import type pg from 'pg';
import { newId } from '@app/database/new-id';
import { readConsentKeyword } from '@app/domain/contacts/opt-out-keywords';
import type { MessageReceived } from '@app/domain/messaging/inbound-event';
import { consentWord, type SaidByPerson } from './consent-words.ts';
import { findContacts, type JoinContacts } from './find-contacts.ts';
import { findDeleted } from './find-deleted.ts';
import { describeContent } from './message-line.ts';
import { storablePayload, storableText } from './storable.ts';

export type OwnedMessage = { event: MessageReceived; workspaceId: string; channelId: string };

type Group = { messages: readonly OwnedMessage[]; joinContacts: JoinContacts; now: number };
type Stored = OwnedMessage & { id: string; contactId: string | null; text: string; at: Date };

const DAY_MS = 24 * 3_600_000;

/**
 * Adds messages to their contacts' conversations and makes contacts of people who write for the first time.
 * An inbound message opens the 24-hour window from the platform's own time stamp. Answers with the contacts that got a new
 * message, and with what was said about consent.
 */
export async function storeMessages(
  client: pg.PoolClient,
  { messages, joinContacts, now }: Group,
): Promise<SaidByPerson> {
  if (messages.length === 0) return { contacts: [], words: [] };
  const people = messages.map(({ event, workspaceId }) => ({
    ...{ workspaceId, person: event.person, at: event.occurredAt, mayAdd: true },
  }));
  const speaking = messages.flatMap(({ event, workspaceId }) =>
    readConsent(event) === null ? [] : [{ workspaceId, person: event.person }],
  );
  const deletedOf = await findDeleted(client, speaking);
  const contactIds = await findContacts(client, people, joinContacts);
  const owned = messages.map((message, index) => ({
    ...message,
    id: newId(),
    contactId: contactIds.get(people[index]!) ?? null, // one person per message
    text: describeContent(message.event.content),
    at: new Date(message.event.occurredAt || now),
  }));
  const freshIds = await insertMessages(client, owned);
  const fresh = owned.filter(({ id }) => freshIds.has(id));
  const ofContacts = fresh.flatMap((message) =>
    message.contactId === null ? [] : [{ ...message, contactId: message.contactId }],
  );
  await describeContacts(client, ofContacts);
  await settleChanges(client, fresh);
  return {
    contacts: ofContacts.map(({ workspaceId, contactId }) => ({ workspaceId, contactId })),
    words: ofContacts.flatMap((message) => {
      const kind = readConsent(message.event);
      if (kind === null) return [];
      const deletedIds = deletedOf({ ...message, person: message.event.person });
      return [message.contactId, ...deletedIds].map((contactId) =>
        consentWord({ ...message, contactId }, kind, message.text, now),
      );
    }),
  };
}

async function insertMessages(client: pg.PoolClient, owned: readonly Stored[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, target_id)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                          $9::jsonb[], $10::timestamptz[], $11::text[])
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
      owned.map(({ event }) => storablePayload(event)),
      owned.map(({ at }) => at),
      owned.map(({ event }) => targetOf(event)),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The last message and the window; locked in the order in which everybody locks contacts. */
async function describeContacts(
  client: pg.PoolClient,
  fresh: readonly (Stored & { contactId: string })[],
): Promise<void> {
  const said = fresh.filter(({ event }) => targetOf(event) === null);
  if (said.length === 0) return;
  const contactIds = said.map(({ contactId }) => contactId);
  await client.query('SELECT FROM contacts WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [
    contactIds,
  ]);
  await client.query(
    `UPDATE contacts c SET
       last_message = CASE WHEN c.last_message_at IS NULL OR n.said_at >= c.last_message_at THEN n.said ELSE c.last_message END,
       last_message_at = greatest(c.last_message_at, n.said_at),
       window_expires_at = greatest(c.window_expires_at, n.window_expires_at)
     FROM (SELECT DISTINCT ON (contact_id) contact_id, said, said_at,
                  max(window_expires_at) OVER (PARTITION BY contact_id) AS window_expires_at
             FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[])
                  AS m (contact_id, said, said_at, window_expires_at)
            ORDER BY contact_id, said_at DESC) n
     WHERE c.id = n.contact_id`,
    [
      contactIds,
      said.map(({ text }) => text),
      said.map(({ at }) => at),
      said.map(({ event }) => (opensWindow(event) ? new Date(event.occurredAt + DAY_MS) : null)),
    ],
  );
}

/** A change may come before its message, so that each of the two looks for the other. */
async function settleChanges(client: pg.PoolClient, fresh: readonly Stored[]): Promise<void> {
  const places = fresh.map(({ workspaceId, event }) => ({
    ...{ workspaceId, targetId: targetOf(event) ?? storableText(event.messageId) },
  }));
  if (places.length === 0) return;
  await client.query('SELECT settle_message_changes($1::uuid[], $2::text[])', [
    places.map(({ workspaceId }) => workspaceId),
    places.map(({ targetId }) => targetId),
  ]);
}

/** The message that this one edits or takes back. */
function targetOf({ content }: MessageReceived): string | null {
  return content.type === 'edit' || content.type === 'revoke' ? storableText(content.targetMessageId) : null;
}

function opensWindow(event: MessageReceived): boolean {
  return event.direction === 'in' && event.groupId === null && event.occurredAt > 0;
}

function readConsent(event: MessageReceived): 'stop' | 'start' | null {
  if (event.direction !== 'in' || event.origin === 'history') return null;
  if (event.content.type === 'text') return readConsentKeyword(event.content.body);
  return event.content.type === 'button_reply' ? readConsentKeyword(event.content.title) : null;
}
