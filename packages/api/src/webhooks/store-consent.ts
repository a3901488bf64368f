import type pg from 'pg';
import { holdContacts, holdUntil, type ContactHold } from '@app/database/contacts/hold-contacts';
import type { ConsentWord, SaidOfNobody } from '@app/database/contacts/change-consent';
import type {
  ChannelPerson,
  InboundEvent,
  MessageStatusReported,
  PreferenceChanged,
} from '@app/domain/messaging/inbound-event';
import { consentWord, timeWord } from './consent-words.ts';
import { findContacts, type ContactRef, type Finding } from './find-contacts.ts';
import { findDeleted } from './find-deleted.ts';

type Arrived = { event: InboundEvent; workspaceId: string };
type Wish = {
  workspaceId: string;
  person: ChannelPerson;
  at: number;
  event: PreferenceChanged | MessageStatusReported;
};

type Group = { events: readonly Arrived[]; finding: Finding; now: number };

/**
 * Reads what people chose inside the app, and what failures of messages that are not ours say of them; answers with their words
 * and with whom it holds. A failure makes no contact of somebody who is not known; what it says waits for them.
 */
export async function readWishes(
  client: pg.PoolClient,
  { events, finding, now }: Group,
): Promise<{ held: ContactRef[]; words: ConsentWord[]; ofNobody: SaidOfNobody[] }> {
  const wishes = events.flatMap(readWish);
  if (wishes.length === 0) return { held: [], words: [], ofNobody: [] };
  const people = wishes.map(({ workspaceId, person, at, event }) => ({
    ...{ workspaceId, person, at, mayAdd: event.type === 'preference_changed' },
  }));
  const deletedOf = await findDeleted(client, wishes);
  const contactIds = await findContacts(client, people, finding);
  const owned = wishes.flatMap((wish, index) => {
    const contactId = contactIds.get(people[index]!); // one person per wish
    return [...(contactId === undefined ? [] : [contactId]), ...deletedOf(wish)].map((id) => ({
      ...wish,
      contactId: id,
    }));
  });
  const held = owned.flatMap(({ event, workspaceId, contactId }) => {
    const hold = readHold(event, now);
    return hold ? [{ ...hold, workspaceId, contactId }] : [];
  });
  await holdContacts(client, held);
  const ofNobody = wishes.filter((_, index) => !contactIds.has(people[index]!)); // one person per wish
  return {
    held,
    words: owned.flatMap(({ event, person, ...ref }) => {
      const choice = readChoice(event);
      const said = { ...ref, event: { occurredAt: event.occurredAt, person } };
      return choice === null ? [] : consentWord(said, choice, '', now);
    }),
    ofNobody: ofNobody.map((wish) => sayOfNobody(wish, now)),
  };
}

function sayOfNobody({ workspaceId, person, event }: Wish, now: number): SaidOfNobody {
  const choice = readChoice(event);
  const hold = readHold(event, now);
  return {
    workspaceId,
    identifiers: [person.phone, person.userId].filter((one) => one !== null),
    word: choice && { ...timeWord(choice, event.occurredAt, now), source: 'person' },
    holdUntil: hold && holdUntil(hold),
  };
}

function readWish({ event, workspaceId }: Arrived): Wish[] {
  const at = event.occurredAt;
  if (event.type === 'preference_changed') return [{ workspaceId, person: event.person, at, event }];
  const concerns = event.type === 'message_status' && event.groupId === null ? event.action?.kind : undefined;
  return event.type === 'message_status' && (concerns === 'opt_out' || concerns === 'hold_recipient')
    ? [{ workspaceId, person: event.recipient, at, event }]
    : [];
}

function readHold(event: Wish['event'], now: number): Pick<ContactHold, 'from' | 'hours'> | null {
  if (event.type !== 'message_status' || event.action?.kind !== 'hold_recipient') return null;
  return { hours: event.action.hours, from: new Date(Math.min(event.occurredAt || now, now)) };
}

function readChoice(event: Wish['event']): 'stop' | 'start' | null {
  if (event.type === 'preference_changed') return event.preference === 'stop' ? 'stop' : 'start';
  return event.action?.kind === 'opt_out' ? 'stop' : null;
}
