import type pg from 'pg';
import { writeArray } from '@app/delivery/sql-array';
import {
  addArrivingContacts,
  changeArrivingContacts,
  type ArrivingColumns,
} from '@app/database/contacts/arriving-contacts';
import { newId } from '@app/database/new-id';
import { cleanName, contactLimits } from '@app/domain/contacts/contact';
import { isStandInName } from '@app/domain/contacts/stand-in-name';
import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import { findFirstWords, type Said } from './first-words.ts';
import { recallSuppressed } from '../platform/suppression-list.ts';
import type { SecretBox } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { lookUpContacts, type KnownContact, type KnownPeople } from './known-people.ts';

export type ContactRef = { workspaceId: string; contactId: string };

export type PersonOf = {
  workspaceId: string;
  person: ChannelPerson;
  /** When the person was met under these identifiers, in milliseconds; 0 when nobody knows. */
  at: number;
  /** Whether somebody who is not known becomes a contact. */
  mayAdd: boolean;
  /** What the list of contacts shows of it, if they become one. */
  says?: Said | null;
};

type Pair = { contactIds: readonly [string, string]; phoneOf?: string };

/** Makes one contact of two that the platform says are one person, and answers with the one that stays. */
export type JoinContacts = (scope: WorkspaceScope, pair: Pair) => Promise<string>;
/** The same where several workspaces are at hand. */
export type JoinContactsOf = (pair: Pair & { workspaceId: string }) => Promise<string>;

export type Finding = {
  joinContacts: JoinContactsOf;
  secrets: Pick<SecretBox, 'fingerprint'>;
  /** Hears of those who became contacts: whoever opened the transaction emits them. */
  onAdded?: (added: readonly ContactRef[]) => void;
};

const MAX_TRIES = 3;

/**
 * The contact of each person, by the platform's own id or else by phone number, also by one that the contact had once. People who write
 * for the first time become contacts under the name of their profile; known ones learn the number, id or name that was missing.
 */
export async function findContacts(
  client: pg.PoolClient,
  people: readonly PersonOf[],
  { joinContacts, secrets, onAdded }: Finding,
): Promise<Map<PersonOf, string>> {
  const knowable = people.filter(({ person }) => person.phone !== null || person.userId !== null);
  if (knowable.length === 0) return new Map();
  for (let attempt = 1; ; attempt += 1) {
    const known = await lookUpContacts(client, knowable);
    const found = new Map<PersonOf, KnownContact>();
    const heard = new Map<KnownContact, Said[]>();
    for (const one of knowable) {
      const contact = (await recognise(known, one, joinContacts)) ?? addPerson(known, one);
      if (!contact) continue;
      found.set(one, contact);
      learn(known, contact, one);
      if (contact.isNew && one.says) heard.set(contact, [...(heard.get(contact) ?? []), one.says]);
    }
    const added = await saveNew(client, known, heard);
    onAdded?.(added.map(({ workspaceId, id }) => ({ workspaceId, contactId: id })));
    // Else somebody else added one of them meanwhile: it looks again.
    const isWhole = added.length === known.added().length || attempt === MAX_TRIES;
    const changed = isWhole ? await saveChanged(client, known) : [];
    // Each time: whoever was added is known from here on, and would not be asked about again.
    await recallSuppressed(client, secrets, [...added, ...changed].map(toRecalled));
    if (isWhole) return new Map([...found].map(([one, contact]) => [one, known.idOf(contact)]));
  }
}

/** A number that somebody gave up is theirs for what was written before. Two contacts that show up as one person become one. */
async function recognise(
  known: KnownPeople,
  one: PersonOf,
  joinContacts: JoinContactsOf,
): Promise<KnownContact | undefined> {
  const { workspaceId, person, at } = one;
  const byUser = known.byUser(workspaceId, person.userId);
  const formerly = at > 0 ? known.formerOwner(workspaceId, person.phone, at) : undefined;
  const byPhone = formerly ?? known.byPhone(workspaceId, person.phone);
  if (!byUser || !byPhone || byUser === byPhone)
    return byUser ?? byPhone ?? known.byAlias(workspaceId, person.userId, person.phone);
  // Who has an id of their own is somebody else, and the id is the surer sign.
  if (byPhone.userId !== null || byUser.isNew || byPhone.isNew) return byUser;
  const staying = await joinContacts({
    workspaceId,
    contactIds: byUser.id < byPhone.id ? [byUser.id, byPhone.id] : [byPhone.id, byUser.id],
    phoneOf: byPhone.id,
  });
  return known.unite(byUser, byPhone, staying);
}

function addPerson(known: KnownPeople, { workspaceId, person, mayAdd }: PersonOf): KnownContact | undefined {
  if (!mayAdd) return undefined;
  const { phone, userId, username } = person;
  return known.add({
    id: newId(),
    workspaceId,
    phone,
    userId,
    name: profileName(person) || storedName(username) || phone || userId || '',
    isNew: true,
  });
}

function learn(known: KnownPeople, contact: KnownContact, { workspaceId, person }: PersonOf): void {
  const { phone, userId, username } = person;
  if (contact.userId === null && userId !== null && !known.byUser(workspaceId, userId))
    known.change(contact, { userId });
  if (contact.phone === null && phone !== null && !known.byPhone(workspaceId, phone))
    known.change(contact, { phone });
  const name = profileName(person);
  if (name && name !== contact.name && isStandInName(contact.name, { ...contact, username }))
    known.change(contact, { name });
}

/** Answers with those that were not there already. */
async function saveNew(
  client: pg.PoolClient,
  known: KnownPeople,
  heard: ReadonlyMap<KnownContact, readonly Said[]>,
): Promise<KnownContact[]> {
  // One order for everybody, so that two transactions that add the same people do not block each other.
  const added = known.added().toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  if (added.length === 0) return [];
  const firstWords = await findFirstWords(
    client,
    added.map((contact) => ({ workspaceId: contact.workspaceId, said: heard.get(contact) ?? [] })),
  );
  const written = await addArrivingContacts(client, columnsOf(added), [
    writeArray(firstWords.map((said) => said?.text ?? null)),
    writeArray(firstWords.map((said) => said?.at.toISOString() ?? null)),
    writeArray(firstWords.map((said) => said?.windowExpiresAt?.toISOString() ?? null)),
  ]);
  return pick(added, written);
}

/** Answers with those of which nobody else had number or id. */
async function saveChanged(client: pg.PoolClient, known: KnownPeople): Promise<KnownContact[]> {
  const changed = known.changed().toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (changed.length === 0) return [];
  return pick(changed, await changeArrivingContacts(client, columnsOf(changed)));
}

function pick(contacts: readonly KnownContact[], written: readonly string[]): KnownContact[] {
  const ids = new Set(written);
  return contacts.filter(({ id }) => ids.has(id));
}

function columnsOf(contacts: readonly KnownContact[]): ArrivingColumns {
  return [
    writeArray(contacts.map(({ id }) => id)),
    writeArray(contacts.map(({ workspaceId }) => workspaceId)),
    writeArray(contacts.map(({ phone }) => phone)),
    writeArray(contacts.map(({ userId }) => userId)),
    writeArray(contacts.map(({ name }) => name)),
  ];
}

function toRecalled({ id, workspaceId, phone, userId }: KnownContact) {
  const identifiers = [phone, userId].filter((identifier) => identifier !== null);
  return { workspaceId, contactId: id, identifiers };
}

function keyOf({ workspaceId, phone, userId }: KnownContact): string {
  return `${workspaceId} ${phone ?? userId}`;
}

function profileName({ name }: ChannelPerson): string {
  return storedName(name);
}

function storedName(name: string | null): string {
  return cleanName((name ?? '').slice(0, 4 * contactLimits.name))
    .slice(0, contactLimits.name)
    .toWellFormed();
}
