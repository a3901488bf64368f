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
import { checkCustomInput, type CustomFieldError } from '../custom-fields/custom-values.ts';
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

/** Writes the given fields alone, and only over the version that the caller saw. Emits which fields changed. */
export async function changeContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { contactId, version, customFields, country, ...changes }: { contactId: string; version: number } & Changes,
): Promise<
  | Contact
  | CustomFieldError
  | 'contact_not_found'
  | 'contact_changed'
  | 'contact_phone_invalid'
  | 'contact_phone_taken'
  | 'contact_erased'
> {
  const { workspaceId } = scope;
  const { rows: found } = await scope.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, contactId],
  );
  const [current] = found;
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
  const custom = await checkCustomInput(scope, customFields ?? {});
  if ('code' in custom) return custom;
  const fields = (['name', 'phone', 'email', 'language', 'tags', 'status'] as const).filter(
    (field) => next[field] !== undefined,
  );
  const { rows } = await scope.query<ContactRow>(
    `UPDATE contacts SET version = version + 1, updated_at = $3, custom_values = (custom_values - $4::text[]) || $5::jsonb
            ${fields.map((field, index) => `, ${field} = $${index + 6}`).join('')}
      WHERE workspace_id = $1 AND id = $2 RETURNING ${contactColumns}`,
    [
      ...[workspaceId, contactId, scope.clock(), custom.removed, custom.set],
      ...fields.map((field) => next[field]),
    ],
  );
  if (!rows[0]) return 'contact_not_found';
  const isMoved = next.phone !== undefined && next.phone !== current.phone;
  const changed = isMoved ? await withWords(scope, secrets, rows[0], next.phone!) : presentContact(rows[0]);
  const values = { name: changed.name, ...compare(current, rows[0]) };
  await scope.emit({ type: 'contact.updated', subject: changed.id, values });
  await emitTagChanges(scope, [{ contactId, before: current.tags, after: changed.tags }]);
  return changed;
}

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
