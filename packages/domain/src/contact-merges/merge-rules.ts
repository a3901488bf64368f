import { isNoted, type ConsentSource } from '../contacts/opt-out/consent-source.ts';
import { cleanTags, contactLimits, type ContactStatus } from '../contacts/contact.ts';
import type { CustomValues } from '../custom-fields/custom-field.ts';

export const mergeLimits = { contacts: 10, undoDays: 30 } as const;

/** Fields of which people pick the value that stays. */
export const mergeFields = ['name', 'phone', 'email', 'language'] as const;
export type MergeField = (typeof mergeFields)[number];

/** A contact as far as the rules ask; times are milliseconds since 1970. */
export type MergeableContact = {
  id: string;
  name: string;
  phone: string | null;
  platformUserId: string | null;
  email: string | null;
  language: string | null;
  tags: readonly string[];
  status: ContactStatus;
  optedOutAt: number | null;
  lastMessage: string | null;
  lastMessageAt: number | null;
  windowExpiresAt: number | null;
  customValues: CustomValues;
};

/** Whose value stays: by field, and by the id of a custom field. */
export type MergePicks = {
  fields: { readonly [Field in MergeField]?: string | undefined };
  custom: Readonly<Record<string, string>>;
};

/**
 * What becomes of several contacts, of which the first one keeps its id. A value that nobody picked is the survivor's, or
 * else the first one there is. Consent is never widened: one block or opt-out holds for all.
 */
export function mergeContacts(
  contacts: readonly [MergeableContact, ...MergeableContact[]],
  picks: MergePicks,
): MergeableContact {
  const [survivor] = contacts;
  const ownerOf = (field: MergeField) => findOwner(contacts, picks.fields[field], (one) => one[field]);
  const phoneOwner = ownerOf('phone');
  const newest = contacts.reduce((last, one) =>
    (one.lastMessageAt ?? -Infinity) > (last.lastMessageAt ?? -Infinity) ? one : last,
  );
  return {
    id: survivor.id,
    name: ownerOf('name').name,
    phone: phoneOwner.phone,
    // The platform's id belongs to a number, so it goes with the number that stays.
    platformUserId:
      phoneOwner.platformUserId ??
      contacts.find(({ platformUserId }) => platformUserId !== null)?.platformUserId ??
      null,
    email: ownerOf('email').email,
    language: ownerOf('language').language,
    tags: cleanTags(contacts.flatMap(({ tags }) => tags)).slice(0, contactLimits.tags),
    status: findBlocked(contacts) ? 'blocked' : 'active',
    optedOutAt: findOptOut(contacts)?.optedOutAt ?? null,
    lastMessage: newest.lastMessage,
    lastMessageAt: newest.lastMessageAt,
    // So is the 24-hour window: it is open with one number, not with a person.
    windowExpiresAt: phoneOwner.windowExpiresAt,
    customValues: mergeCustomValues(contacts, picks.custom),
  };
}

/** The contact whose block holds for all: the first that is blocked. */
export function findBlocked<One extends Pick<MergeableContact, 'status'>>(
  contacts: readonly One[],
): One | undefined {
  return contacts.find(({ status }) => status === 'blocked');
}

/** The contact whose opt-out holds for all: the one that opted out last. */
export function findOptOut<One extends Pick<MergeableContact, 'optedOutAt'>>(
  contacts: readonly One[],
): One | undefined {
  return contacts
    .filter(({ optedOutAt }) => optedOutAt !== null)
    .toSorted((a, b) => (b.optedOutAt ?? 0) - (a.optedOutAt ?? 0))[0];
}

/** The contact whose value stays when nobody picks: the first that has one, or else the first of all. */
export function findOwner<One extends { id: string }>(
  contacts: readonly [One, ...One[]],
  picked: string | undefined,
  read: (contact: One) => unknown,
): One {
  const has = (one: One) => (read(one) ?? '') !== '';
  return contacts.find(({ id }) => id === picked) ?? contacts.find(has) ?? contacts[0];
}

function mergeCustomValues(
  contacts: readonly [MergeableContact, ...MergeableContact[]],
  picks: MergePicks['custom'],
): CustomValues {
  const fields = new Set(contacts.flatMap(({ customValues }) => Object.keys(customValues)));
  const values = [...fields].map((field) => {
    const owner = findOwner(contacts, picks[field], ({ customValues }) => customValues[field]);
    return [field, owner.customValues[field]] as const;
  });
  return Object.fromEntries(
    values.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
  );
}

/** A recipient of an unfinished or ended run, and how far it is. */
export type RunRecipient = {
  runNo: string;
  seq: number;
  contactId: string;
  /** `handed`: sent, or perhaps sent; `ended`: left out or refused; `waiting`: not yet. */
  progress: 'waiting' | 'handed' | 'ended';
};

/**
 * Which contact each recipient belongs to after a merge. What was sent goes to the survivor. Of those that still wait in
 * one run only one goes on, and none when the person was handed to the sender before: nobody is sent to twice by a merge,
 * and nobody is lost. The others name a contact that is gone, which the sender leaves out. Answers with the changes alone.
 */
export function assignRecipients(
  recipients: readonly RunRecipient[],
  survivorId: string,
  goneId: string,
): { runNo: string; seq: number; contactId: string }[] {
  const changes: { runNo: string; seq: number; contactId: string }[] = [];
  for (const run of groupByRun(recipients)) {
    const isHanded = run.some(({ progress }) => progress === 'handed');
    const waiting = run.filter(({ progress }) => progress === 'waiting');
    const next = isHanded ? undefined : waiting.toSorted((a, b) => a.seq - b.seq)[0];
    for (const recipient of run) {
      const stays = recipient.progress !== 'waiting' || recipient === next;
      const leftOutId = recipient.contactId === survivorId ? goneId : recipient.contactId;
      const contactId = stays ? survivorId : leftOutId;
      if (contactId !== recipient.contactId)
        changes.push({ runNo: recipient.runNo, seq: recipient.seq, contactId });
    }
  }
  return changes;
}

function groupByRun(recipients: readonly RunRecipient[]): RunRecipient[][] {
  const runs = new Map<string, RunRecipient[]>();
  for (const recipient of recipients) {
    const run = runs.get(recipient.runNo);
    if (run) run.push(recipient);
    else runs.set(recipient.runNo, [recipient]);
  }
  return [...runs.values()];
}

/** Fields of the survivor that an undo puts back; tags and consent have rules of their own. */
export type UndoneFields = Pick<
  MergeableContact,
  'name' | 'phone' | 'platformUserId' | 'email' | 'language' | 'status' | 'tags' | 'customValues'
>;

/**
 * The survivor as it was before the merge, but for what somebody changed since: that stays, and is named. A block since
 * the merge stays in any case.
 */
export function undoFields(
  before: UndoneFields,
  after: UndoneFields,
  now: UndoneFields,
): { fields: UndoneFields; kept: string[] } {
  const kept: string[] = [];
  const pick = <Field extends 'name' | 'phone' | 'platformUserId' | 'email' | 'language' | 'status'>(
    field: Field,
  ): UndoneFields[Field] => {
    if (now[field] === after[field]) return before[field];
    kept.push(field);
    return now[field];
  };
  const addedByMerge = new Set(after.tags.filter((tag) => !before.tags.includes(tag)));
  return {
    fields: {
      name: pick('name'),
      phone: pick('phone'),
      platformUserId: pick('platformUserId'),
      email: pick('email'),
      language: pick('language'),
      status: pick('status'),
      tags: now.tags.filter((tag) => !addedByMerge.has(tag)),
      customValues: undoCustomValues(before.customValues, after.customValues, now.customValues),
    },
    kept,
  };
}

function undoCustomValues(before: CustomValues, after: CustomValues, now: CustomValues): CustomValues {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)]);
  return Object.fromEntries(
    [...fields].flatMap((field) => {
      const value = now[field] === after[field] ? before[field] : now[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** Something that was said about consent since a merge. */
export type ConsentSince = {
  kind: 'opt_in' | 'opt_out';
  source: ConsentSource;
  /** The number or platform id that said it, or that was entered in the form; null when nobody knows. */
  sender: string | null;
};

/**
 * The contacts to which a word about consent belongs once a merge is undone: to the one whose number said it. Of a word without a
 * known number an opt-out holds for all of them, and an opt-in for the survivor if staff noted it or another service brought it, else for nobody.
 */
export function findConsentOwners(
  { kind, source, sender }: ConsentSince,
  survivorId: string,
  parts: readonly { contactId: string; identifiers: readonly string[] }[],
): string[] {
  if (!isNoted(source) && sender !== null)
    return [parts.find(({ identifiers }) => identifiers.includes(sender))?.contactId ?? survivorId];
  if (kind === 'opt_out') return [survivorId, ...parts.map(({ contactId }) => contactId)];
  return isNoted(source) ? [survivorId] : [];
}
