import type { FieldChange } from '@app/domain/events/fact-values';
import { findErased, lockIdentifiers, type Fingerprints } from '../platform/erased-people.ts';
import { keepOptOut, recallSuppressed } from '../platform/suppression-list.ts';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { addContacts, type NewContact } from './add-contacts.ts';
import { isNumberTaken } from './contact-aliases.ts';
import {
  contactColumns,
  findContact,
  presentContact,
  type Contact,
  type ContactRow,
} from './contacts-queries.ts';
import { checkCustomInputs, type CustomFieldError } from '../custom-fields/custom-values.ts';
import { emitTagChanges } from './emit-tag-changes.ts';
import { readPhoneNumber } from './phone-number.ts';

export type ContactFields = NewContact & {
  /** Of a number without a country code. */
  country?: PhoneCountry | undefined;
};

/** Adds a contact and emits it. */
export async function addContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { phone, country, ...fields }: ContactFields,
): Promise<Contact | CustomFieldError | 'contact_phone_invalid' | 'contact_phone_taken' | 'contact_erased'> {
  const number = readPhoneNumber(phone, country);
  if (!number) return 'contact_phone_invalid';
  const [added] = await addContacts(scope, secrets, [{ ...fields, phone: number }]);
  return added!; // one for one
}

type Changes = { [Field in keyof ContactFields]?: ContactFields[Field] | undefined };
type Change = { contactId: string; version: number } & Changes;
type ChangeRefusal = CustomFieldError | 'contact_not_found' | 'contact_changed';

/** Writes the given fields alone, and only over the version that the caller saw. Emits which fields changed. */
export async function changeContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { contactId, version, country, ...changes }: Change,
): Promise<Contact | ChangeRefusal | 'contact_phone_invalid' | 'contact_phone_taken' | 'contact_erased'> {
  const { workspaceId } = scope;
  const current = (await lockContacts(scope, [contactId], 'FOR UPDATE')).get(contactId);
  if (!current) return 'contact_not_found';
  if (current.version !== version) return 'contact_changed';
  const next = { ...changes };
  if (next.phone !== undefined && next.phone !== current.phone) {
    const number = readPhoneNumber(next.phone, country);
    if (!number) return 'contact_phone_invalid';
    if (await isNumberTaken(scope, number, contactId)) return 'contact_phone_taken';
    if (await isErased(scope, secrets, [number])) return 'contact_erased';
    next.phone = number;
    if (current.phone !== null)
      await keepOptOut(scope, secrets, { workspaceId, contactId, identifier: current.phone });
  }
  const [written] = await writeChanges(scope, [{ current, next }]);
  if (!written) return 'contact_not_found';
  if ('code' in written) return written;
  const isMoved = next.phone !== undefined && next.phone !== current.phone;
  return isMoved ? withWords(scope, secrets, written, next.phone!) : presentContact(written);
}

/**
 * The same of several contacts, each once, with a constant number of statements. Answers for each. Numbers are changed one by one (`changeContact`):
 * each is compared with what others have.
 */
export async function changeContacts(
  scope: WorkspaceScope,
  wanted: readonly Omit<Change, 'phone' | 'country'>[],
): Promise<(Contact | ChangeRefusal)[]> {
  if (wanted.length === 0) return [];
  const known = await lockContacts(
    scope,
    wanted.map(({ contactId }) => contactId),
    // Who adds a message of a contact does not wait: no number changes.
    'FOR NO KEY UPDATE',
  );
  const fresh = wanted.flatMap(({ contactId, version, ...next }) => {
    const current = known.get(contactId);
    return current?.version === version ? [{ current, next }] : [];
  });
  const written = await writeChanges(scope, fresh);
  const outcomes = new Map(fresh.map(({ current }, place) => [current.id, written[place] ?? null]));
  return wanted.map(({ contactId }) => {
    const outcome = outcomes.get(contactId);
    if (outcome === undefined) return known.has(contactId) ? 'contact_changed' : 'contact_not_found';
    if (outcome === null) return 'contact_not_found';
    return 'code' in outcome ? outcome : presentContact(outcome);
  });
}

/** All in one order, so that no two who change several wait for each other. */
async function lockContacts(
  scope: WorkspaceScope,
  ids: readonly string[],
  lock: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
): Promise<Map<string, ContactRow>> {
  const { rows } = await scope.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id ${lock}`,
    [scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const WRITTEN = ['name', 'phone', 'email', 'language', 'tags', 'status'] as const;

/** Stores changes of contacts that are locked, and emits them. Answers for each: what the contact is now, or what does not fit. */
async function writeChanges(
  scope: WorkspaceScope,
  changes: readonly { current: ContactRow; next: Omit<Changes, 'country'> }[],
): Promise<(ContactRow | CustomFieldError | null)[]> {
  const custom = await checkCustomInputs(
    scope,
    changes.map(({ next }) => next.customFields ?? {}),
  );
  const rows = changes.flatMap(({ current, next }, place) => {
    const values = custom[place]!; // one for each
    if ('code' in values) return [];
    const fields = WRITTEN.filter((field) => next[field] !== undefined);
    return [
      {
        ...{ contact_id: current.id, set_values: values.set, removed: values.removed },
        written: Object.fromEntries(fields.map((field) => [field, next[field]])),
      },
    ];
  });
  const { rows: stored } = await scope.query<ContactRow>(
    `UPDATE contacts c SET version = c.version + 1, updated_at = $3, custom_values = (c.custom_values - n.removed) || n.set_values,
            ${WRITTEN.map((field) => `${field} = CASE WHEN n.written ? '${field}' THEN ${readSql(field)} ELSE c.${field} END`).join(', ')}
       FROM jsonb_to_recordset($2::jsonb) AS n (contact_id uuid, written jsonb, set_values jsonb, removed text[])
      WHERE c.workspace_id = $1 AND c.id = n.contact_id RETURNING ${contactColumns}`,
    [scope.workspaceId, JSON.stringify(rows), scope.clock()],
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const before = changes.flatMap(({ current }) => (byId.has(current.id) ? [current] : []));
  await scope.emitMany(
    before.map((current) => {
      const after = byId.get(current.id)!; // one of them
      const values = { name: after.name, ...compare(current, after) };
      return { type: 'contact.updated' as const, subject: current.id, values };
    }),
  );
  await emitTagChanges(
    scope,
    before.map(({ id, tags }) => ({ contactId: id, before: tags, after: byId.get(id)!.tags })), // one of them
  );
  return changes.map(({ current }, place) => {
    const values = custom[place]!; // one for each
    return 'code' in values ? values : (byId.get(current.id) ?? null);
  });
}

const readSql = (field: (typeof WRITTEN)[number]): string =>
  field === 'tags' ? `ARRAY(SELECT jsonb_array_elements_text(n.written->'tags'))` : `n.written->>'${field}'`;

/** The names of the fields that changed, tags apart, and the values before and after of those that do not tell who the person is. */
function compare(before: ContactRow, after: ContactRow): { fields: string[]; changes: FieldChange[] } {
  const personal = (['name', 'phone', 'email'] as const).filter((field) => before[field] !== after[field]);
  const plain = (['language', 'status'] as const).map((field) => ({
    ...{ field, before: before[field], after: after[field] },
  }));
  const keys = new Set([...Object.keys(before.custom_fields), ...Object.keys(after.custom_fields)]);
  const custom = [...keys].map((key) => ({
    field: `custom.${key}`,
    before: before.custom_fields[key] ?? null,
    after: after.custom_fields[key] ?? null,
  }));
  const changes = [...plain, ...custom].filter((one) => one.before !== one.after);
  return { fields: [...personal, ...changes.map(({ field }) => field)], changes };
}

/** The contact with what was said under its new number before it had it. */
async function withWords(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  row: ContactRow,
  phone: string,
): Promise<Contact> {
  const recalled = await recallSuppressed(scope, secrets, [
    { workspaceId: scope.workspaceId, contactId: row.id, identifiers: [phone] },
  ]);
  const contact = recalled.length > 0 ? await findContact(scope, row.id) : null;
  return contact ?? presentContact(row);
}

/** Whether one of these numbers and platform ids belongs to a person who was erased. */
async function isErased(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  identifiers: readonly string[],
): Promise<boolean> {
  const { workspaceId } = scope;
  await lockIdentifiers(scope, workspaceId, identifiers);
  const people = identifiers.map((identifier) => ({ workspaceId, identifier }));
  return people.some(await findErased(scope, secrets, people));
}
