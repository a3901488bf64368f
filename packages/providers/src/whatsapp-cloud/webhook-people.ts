import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import { isRecord, recordOf, textOf } from './json-reading.ts';

/** The `contacts` of one webhook by number and by user id. */
export type People = { byPhone: Map<string, ChannelPerson>; byUserId: Map<string, ChannelPerson> } | null;

export function indexPeople(contacts: unknown): People {
  if (!Array.isArray(contacts) || contacts.length === 0) return null;
  const people = { byPhone: new Map<string, ChannelPerson>(), byUserId: new Map<string, ChannelPerson>() };
  for (const contact of contacts) {
    if (!isRecord(contact)) continue;
    const profile = recordOf(contact['profile']);
    const person: ChannelPerson = {
      phone: readPhone(contact['wa_id']),
      userId: textOf(contact['user_id']),
      parentUserId: textOf(contact['parent_user_id']),
      username: textOf(profile['username']),
      name: textOf(profile['name']),
    };
    if (person.phone !== null) people.byPhone.set(person.phone, person);
    if (person.userId !== null) people.byUserId.set(person.userId, person);
  }
  return people;
}

/** The person with this number or user id, with whatever the `contacts` add to it. */
export function findPerson(people: People, waId: string | null, userId: string | null): ChannelPerson {
  const phone = readPhone(waId);
  const known =
    (userId === null ? undefined : people?.byUserId.get(userId)) ??
    (phone === null ? undefined : people?.byPhone.get(phone));
  return {
    phone: phone ?? known?.phone ?? null,
    userId: userId ?? known?.userId ?? null,
    parentUserId: known?.parentUserId ?? null,
    username: known?.username ?? null,
    name: known?.name ?? null,
  };
}

/** E.164 with the plus sign from the platform's bare digits; null when it is no number. */
export function readPhone(value: unknown): string | null {
  const text = textOf(value);
  if (text === null) return null;
  const digits = text.replace(/[\s+().-]/g, '');
  return /^\d{5,20}$/.test(digits) ? `+${digits}` : null;
}

/** Unix seconds as text or number to milliseconds; 0 when missing. */
export function readTimestamp(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0;
}
