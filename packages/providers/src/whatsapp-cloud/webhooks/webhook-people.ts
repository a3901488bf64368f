import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import { idOf, isRecord, listOf, numberOf, recordOf, textOf } from '../json-reading.ts';

type Met = { person: ChannelPerson; contact: unknown };

/** The `contacts` of one webhook by number and by user id, and those among them that no event has named yet. */
export type People = {
  byPhone: Map<string, Met>;
  byUserId: Map<string, Met>;
  unnamed: Set<unknown>;
};

export function indexPeople(contacts: unknown): People {
  const people: People = { byPhone: new Map(), byUserId: new Map(), unnamed: new Set(listOf(contacts)) };
  for (const contact of listOf(contacts)) {
    if (!isRecord(contact)) continue;
    const profile = recordOf(contact['profile']);
    const person: ChannelPerson = {
      phone: readPhone(contact['wa_id']),
      userId: idOf(contact['user_id']),
      parentUserId: idOf(contact['parent_user_id']),
      username: textOf(profile['username']),
      name: textOf(profile['name']),
    };
    const met = { person, contact };
    if (person.phone !== null) people.byPhone.set(person.phone, met);
    if (person.userId !== null) people.byUserId.set(person.userId, met);
  }
  return people;
}

/** The person with this number or user id, with whatever the `contacts` add to it. */
export function findPerson(people: People | null, waId: unknown, givenId: unknown): ChannelPerson {
  return meetPerson(people, waId, givenId).person;
}

/** The same, with the element of `contacts` as it came. */
export function meetPerson(
  people: People | null,
  waId: unknown,
  givenId: unknown,
): { person: ChannelPerson; contact?: unknown } {
  const phone = readPhone(waId);
  const userId = idOf(givenId);
  const met =
    (userId === null ? undefined : people?.byUserId.get(userId)) ??
    (phone === null ? undefined : people?.byPhone.get(phone));
  people?.unnamed.delete(met?.contact);
  const known = met?.person;
  return {
    person: {
      phone: phone ?? known?.phone ?? null,
      userId: userId ?? known?.userId ?? null,
      parentUserId: known?.parentUserId ?? null,
      username: known?.username ?? null,
      name: known?.name ?? null,
    },
    ...(met && { contact: met.contact }),
  };
}

/** E.164 with the plus sign from the platform's bare digits; null when it is no number. */
export function readPhone(value: unknown): string | null {
  const text = textOf(value);
  if (text === null) return null;
  const digits = text.replace(/[\s+().-]/g, '');
  return /^\d{5,20}$/.test(digits) ? `+${digits}` : null;
}

/**
 * Unix seconds as text or number to milliseconds; 0 when missing or beyond any calendar. Some senders write milliseconds: no second of
 * the next three thousand years has twelve digits.
 */
export function readTimestamp(value: unknown): number {
  const number = numberOf(value) ?? 0;
  const time = Math.round(number >= FIRST_MILLISECONDS ? number : number * 1000);
  return time > 0 && time < BEYOND_CALENDARS ? time : 0;
}

const FIRST_MILLISECONDS = 100_000_000_000;
const BEYOND_CALENDARS = Date.UTC(2200, 0, 1);
