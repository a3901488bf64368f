import type pg from 'pg';
import { rememberFormer } from '@app/database/contact-merges/contact-aliases';
import { changeIdentity, takePhone } from '@app/database/contacts/arriving-contacts';
import { spellingsOf } from '@app/domain/contacts/number-spellings';
import { isStandInName } from '@app/domain/contacts/stand-in-name';
import type { IdentityChanged, InboundEvent } from '@app/domain/messaging/inbound-event';
import { recallSuppressed } from '../platform/suppression-list.ts';
import { findContacts, type ContactRef, type Finding } from './find-contacts.ts';

type Arrived = { event: InboundEvent; workspaceId: string };
type Change = { event: IdentityChanged; workspaceId: string };
type Group = { events: readonly Arrived[]; finding: Finding; now: number };
type Contact = {
  id: string;
  name: string;
  phone: string | null;
  user_id: string | null;
  created_at: Date;
};

/** Old platform ids stand in the sentence alone: two letters of a country, a dot, letters and digits. */
const PLATFORM_ID = /\b[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}\b/g;

/**
 * Lets people who changed their number or platform id stay the contact they are, with their history. Changes count in the order in which
 * they happened: an older one that arrives late changes nothing that a newer one has changed. Answers with the contacts concerned.
 */
export async function storeIdentities(
  client: pg.PoolClient,
  { events, finding, now }: Group,
): Promise<ContactRef[]> {
  const changes = events
    .flatMap(({ event, workspaceId }) =>
      event.type === 'identity_changed' && (event.newPhone ?? event.newUserId) !== null
        ? [{ event, workspaceId }]
        : [],
    )
    .toSorted((a, b) => a.event.occurredAt - b.event.occurredAt);
  const concerned: ContactRef[] = [];
  for (const change of changes) {
    const contactId = await findChanged(client, change, finding);
    if (contactId === null) continue;
    const at = new Date(change.event.occurredAt || now);
    const stayingId = await moveIdentity(client, { ...change, contactId, at, finding });
    concerned.push({ workspaceId: change.workspaceId, contactId: stayingId });
  }
  return concerned;
}

/** Contacts without a name of their own get that of the address book. Answers with the contacts of which it knows a name. */
export async function storeNames(
  client: pg.PoolClient,
  { events, finding }: Omit<Group, 'now'>,
): Promise<ContactRef[]> {
  const people = events.flatMap(({ event, workspaceId }) =>
    event.type === 'contact_synced' && event.action === 'add' && event.person.name !== null
      ? [{ workspaceId, person: event.person, at: event.occurredAt, mayAdd: false }]
      : [],
  );
  const found = await findContacts(client, people, finding);
  return [...found].map(([{ workspaceId }, contactId]) => ({ workspaceId, contactId }));
}

/** The contact under any of its former names; null when nobody is known by them, or when a newer change is known already. */
async function findChanged(
  client: pg.PoolClient,
  { event, workspaceId }: Change,
  finding: Finding,
): Promise<string | null> {
  const formerIds = (event.text?.match(PLATFORM_ID) ?? []).filter((id) => id !== event.newUserId);
  const names = [
    event.from.userId === event.newUserId ? { ...event.from, userId: null } : event.from,
    ...formerIds.map((userId) => ({ ...event.from, phone: null, userId })),
  ];
  const people = names.map((person) => ({ workspaceId, person, at: event.occurredAt, mayAdd: false }));
  const found = await findContacts(client, people, finding);
  const [contactId] = people.flatMap((one) => found.get(one) ?? []);
  if (contactId === undefined) return null;
  const { rowCount } = await client.query(
    'SELECT FROM contact_aliases WHERE workspace_id = $1 AND contact_id = $2 AND until > $3',
    [workspaceId, contactId, new Date(event.occurredAt)],
  );
  return rowCount === 0 ? contactId : null;
}

type Move = Change & { contactId: string; at: Date; finding: Finding };

async function moveIdentity(client: pg.PoolClient, move: Move): Promise<string> {
  const { event, workspaceId, at } = move;
  const { newPhone, newUserId } = event;
  const { rows } = await client.query<Contact>(
    `SELECT id, name, phone, platform_user_id AS user_id, created_at FROM contacts
      WHERE workspace_id = $1 AND (id = $2 OR phone = ANY ($3::text[]) OR platform_user_id = $4) ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, move.contactId, newPhone === null ? [] : spellingsOf(newPhone), newUserId],
  );
  const contact = rows.find(({ id }) => id === move.contactId);
  if (!contact) return move.contactId;
  let stayingId = contact.id;
  for (const other of rows) {
    if (other.id === contact.id) continue;
    if (isSamePerson(contact, other, move)) {
      const phoneOf = other.phone === newPhone && newPhone !== null ? other.id : stayingId;
      stayingId = await move.finding.joinContacts({
        workspaceId,
        contactIds: [stayingId, other.id],
        phoneOf,
      });
    } else await giveUpPhone(client, workspaceId, other, at);
  }
  const { rows: left } = await client.query<{ phone: string | null; user_id: string | null }>(
    `SELECT phone, platform_user_id AS user_id FROM contacts WHERE id = $1`,
    [stayingId],
  );
  const phone = newPhone ?? left[0]?.phone ?? null;
  const userId = newUserId ?? left[0]?.user_id ?? null;
  const isStandIn = isStandInName(contact.name, {
    ...{ phone: contact.phone, userId: contact.user_id, username: null },
  });
  await changeIdentity(client, {
    ...{ contactId: stayingId, phone, userId },
    standInName: isStandIn ? (phone ?? userId) : null,
  });
  await recallSuppressed(client, move.finding.secrets, [
    { workspaceId, contactId: stayingId, identifiers: [newPhone, newUserId].filter((one) => one !== null) },
  ]);
  // Whoever writes from the old number later is somebody else; nobody else ever gets the old id.
  await rememberFormer(client, workspaceId, {
    contactId: stayingId,
    identifiers: [contact.phone].filter((one) => one !== null).filter((one) => one !== phone),
    until: at,
  });
  await rememberFormer(client, workspaceId, {
    contactId: stayingId,
    identifiers: [contact.user_id].filter((one) => one !== null).filter((one) => one !== userId),
    until: null,
  });
  return stayingId;
}

/** A contact with the new number is the same person unless another platform id proves that it had the number before. */
function isSamePerson(contact: Contact, other: Contact, { event: { newUserId }, at }: Move): boolean {
  if (other.user_id === null || other.user_id === contact.user_id || other.user_id === newUserId) return true;
  return other.created_at >= at;
}

/** The number went to somebody else; its former owner stays known by the platform's id. */
async function giveUpPhone(client: pg.PoolClient, workspaceId: string, other: Contact, at: Date) {
  await takePhone(client, other.id);
  await rememberFormer(client, workspaceId, {
    contactId: other.id,
    identifiers: other.phone === null ? [] : [other.phone],
    until: at,
  });
}
