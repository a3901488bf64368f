import { mergeField, mergeOptOut } from '@app/domain/integrations/merge-fields';
import type { RecordError } from '@app/domain/integrations/integration-rules';
import type { Contact } from '../../contacts/contacts-queries.ts';
import { passesFilter } from '@app/domain/integrations/sync-filter';
import { comparable, fingerprintOf, isWanted, isYes, readOurs, readTheirs, type Sync } from './open-sync.ts';
import type { RecordRow, Theirs } from './record-row.ts';

/** What the plans of some records look up. */
export type Finder = {
  contact(id: string): Contact | null;
  /** Another record of the vendor that has the number of this one. */
  sharing(row: RecordRow): string | null;
  /** Who is reached under a number (E.164), in any of its spellings or since a merge. */
  byPhone(phone: string): Contact | null;
  /** Who has this address: none, one, or two for several. */
  byEmail(email: string): readonly Contact[];
  /** The record of the vendor that a contact belongs to. */
  linkedTo(contactId: string): string | null;
  /** The numbers and addresses that several of these records have: what is done with one of them changes what is found for the other. */
  isShared(row: RecordRow): boolean;
};

/** Values by our names. */
export type OurValues = Record<string, string | null>;

/** What one record means for the contacts here, before anything is changed. */
export type RecordPlan =
  | {
      action: 'failed';
      error: RecordError;
      detail: string | null;
      /** Who has its number, or is linked to it, and is opted out by it all the same. */
      optOutOf: Contact | null;
    }
  /** Its contact was deleted here. */
  | { action: 'skipped' }
  /** It does not meet the filter, and belongs to no contact yet. */
  | { action: 'filtered' }
  | { action: 'removed' }
  | { action: 'created'; values: OurValues; optOut: boolean; unread: string | null }
  | {
      action: 'updated' | 'linked' | 'unchanged';
      contact: Contact;
      /** What the contact takes over. */
      values: OurValues;
      /** What the vendor is to take over, by our names. */
      send: OurValues;
      /** Fields of one direction that differ and stay so, by our names. */
      kept: readonly string[];
      optOut: boolean;
      sendOptOut: boolean;
      /** The first field whose value could not be read. */
      unread: string | null;
    };

/** Finds the contact of a record, and what each side takes over from the other. Nothing is guessed: what is not clear is a named error. */
export function planRecord(find: Finder, sync: Sync, row: RecordRow): RecordPlan {
  if (row.is_gone) return { action: 'removed' };
  const theirs = readValues(sync, row);
  const saysOptOut = sync.optOutField !== undefined && isYes(row.remote_values[sync.optOutField]);
  const optingOut = (contact: Contact | null) =>
    contact && mergeOptOut(contact.optedOutAt !== null, saysOptOut, row.said_opt_out).optOutHere
      ? contact
      : null;
  if (row.contact_id !== null) {
    const contact = find.contact(row.contact_id);
    if (!contact) return { action: 'skipped' };
    const shared = find.sharing(row);
    const isMoved = theirs.values['phone'] !== undefined && theirs.values['phone'] !== contact.phone;
    if (shared !== null && isMoved)
      return { action: 'failed', error: 'phone_shared', detail: shared, optOutOf: optingOut(contact) };
    return planMerge(sync, row, contact, theirs, { saysOptOut, isNew: false });
  }
  if (!isWanted(sync, row.remote_values)) return { action: 'filtered' };
  const isLeftOut = !passesFilter(sync.integration.filter, row.remote_values);
  const found = findMatch(find, sync, row, theirs.values);
  // Only its opt-out counts, for the contact who is here.
  if (isLeftOut && !('contact' in found && found.contact)) return { action: 'filtered' };
  if ('error' in found) {
    const { phone } = theirs.values;
    return { action: 'failed', ...found, optOutOf: optingOut(phone ? find.byPhone(phone) : null) };
  }
  if (found.contact) return planMerge(sync, row, found.contact, theirs, { saysOptOut, isNew: true });
  if (!sync.mapping.some(({ ours, direction }) => ours === 'phone' && direction !== 'out'))
    return { action: 'skipped' };
  const taken = Object.fromEntries(
    sync.mapping
      .filter(({ direction, ours }) => direction !== 'out' && ours !== 'opt_out')
      .map(({ ours }) => [ours, theirs.values[ours] ?? null]),
  );
  return { action: 'created', values: taken, optOut: saysOptOut, unread: theirs.unread };
}

/** The contact whom a plan names. */
export function contactOf(plan: RecordPlan): Contact | null {
  if (plan.action === 'failed') return plan.optOutOf;
  return 'contact' in plan ? plan.contact : null;
}

/** Whether a plan records an opt-out here. */
export function optsOut(plan: RecordPlan): boolean {
  return plan.action === 'failed' ? plan.optOutOf !== null : 'optOut' in plan && plan.optOut;
}

/** The mapped values of a record in our form; read once of each row. */
export function readValues(sync: Sync, row: RecordRow): Theirs {
  const known = sync.reads.get(row);
  if (known) return known;
  const read = readRow(sync, row);
  sync.reads.set(row, read);
  return read;
}

function readRow(sync: Sync, row: RecordRow): Theirs {
  const values: Theirs['values'] = {};
  let unread: string | null = null;
  for (const { ours, theirs } of sync.mapping) {
    if (ours === 'opt_out') continue;
    // A field that the record does not have, such as one that is gone there, stays as it is on both sides.
    const isThere = Object.hasOwn(row.remote_values, theirs);
    values[ours] =
      isThere || ours === 'phone' ? readTheirs(sync, ours, row.remote_values[theirs]) : undefined;
    if (isThere && values[ours] === undefined && ours !== 'phone') unread ??= theirs;
  }
  return { values, unread };
}

type Match = { contact: Contact | null } | { error: RecordError; detail: string | null };

/** By number, and by address where the record has no number or the contact has none. */
function findMatch(find: Finder, sync: Sync, row: RecordRow, { phone, email }: Theirs['values']): Match {
  if (phone === undefined) return { error: 'phone_invalid', detail: phoneOf(sync, row) };
  const shared = phone === null ? null : find.sharing(row);
  if (shared !== null) return { error: 'phone_shared', detail: shared };
  const contact = phone === null ? null : find.byPhone(phone);
  if (contact) return matchOf(find, contact);
  if (email) {
    const [one, second] = find.byEmail(email);
    if (one && second) return { error: 'email_shared', detail: null };
    // Whether it is the same person with two numbers is for a person to say.
    if (one?.phone && phone !== null) return { error: 'email_other_number', detail: one.id };
    if (one) return matchOf(find, one);
  }
  return phone === null ? { error: 'phone_missing', detail: null } : { contact: null };
}

/** Not where the contact belongs to another record of the vendor already. */
function matchOf(find: Finder, contact: Contact): Match {
  const other = find.linkedTo(contact.id);
  return other === null ? { contact } : { error: 'contact_linked', detail: other };
}

function planMerge(
  sync: Sync,
  row: RecordRow,
  contact: Contact,
  theirs: Theirs,
  { saysOptOut, isNew }: { saysOptOut: boolean; isNew: boolean },
): RecordPlan {
  const edited = row.remote_edited_at?.getTime() ?? 0;
  const newer = Date.parse(contact.updatedAt) > edited ? 'ours' : 'theirs';
  const values: OurValues = {};
  const send: OurValues = {};
  const kept: string[] = [];
  for (const mapping of sync.mapping) {
    const { ours } = mapping;
    const theirValue = theirs.values[ours];
    if (ours === 'opt_out' || theirValue === undefined) continue;
    const ourValue = readOurs(contact, ours);
    const [left, right] = [comparable(ours, ourValue), comparable(ours, theirValue)];
    const known = row.base?.[ours];
    const base =
      known === undefined
        ? null
        : {
            oursChanged: fingerprintOf(sync, ours, ourValue) !== known,
            theirsChanged: fingerprintOf(sync, ours, theirValue) !== known,
          };
    const merged = mergeField({ mapping, ours: left, theirs: right, base }, newer);
    if (merged === 'take_theirs') values[ours] = theirValue;
    if (merged === 'send_ours') send[ours] = ourValue;
    if (merged === 'leave') kept.push(ours);
  }
  const consent = mergeOptOut(contact.optedOutAt !== null, saysOptOut, row.said_opt_out);
  const isChanged = Object.keys(values).length > 0 || consent.optOutHere;
  return {
    action: isNew ? 'linked' : isChanged ? 'updated' : 'unchanged',
    ...{ contact, values, send, kept, optOut: consent.optOutHere, unread: theirs.unread },
    sendOptOut: sync.optOutField !== undefined && consent.optOutThere,
  };
}

function phoneOf(sync: Sync, row: RecordRow): string | null {
  const field = sync.mapping.find(({ ours }) => ours === 'phone')?.theirs;
  return (field && row.remote_values[field]) || null;
}
