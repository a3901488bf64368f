import { newId } from '@app/database/new-id';
import type { CallerKind } from '@app/domain/auth/caller';
import type { ContactStatus } from '@app/domain/contacts/contact';
import { identityOfNumber, spellingsOf } from '@app/domain/contacts/number-spellings';
import {
  checkCustomInputs,
  type CustomFieldError,
  type CustomInput,
} from '../custom-fields/custom-values.ts';
import { findErased, lockIdentifiers, type Fingerprints } from '../platform/erased-people.ts';
import { recallSuppressed } from '../platform/suppression-list.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { contactColumns, presentContact, type Contact, type ContactRow } from './contacts-queries.ts';
import { emitTagChanges } from './emit-tag-changes.ts';

/** A new contact; `phone` is an E.164 number. */
export type NewContact = {
  name: string;
  phone: string;
  email: string | null;
  language: string | null;
  tags: string[];
  status: ContactStatus;
  customFields: CustomInput;
};
/** What became of each, in their order. */
export type AddedContact = Contact | CustomFieldError | 'contact_phone_taken' | 'contact_erased';

/** How figures name who adds a contact, where no person does with a form. */
const contactSources: Partial<Record<CallerKind, string>> = {
  'api-key': 'api',
  automation: 'automation',
  bot: 'bot',
  integration: 'integration',
};

/**
 * Adds contacts with a constant number of statements, and emits each. One whose number is taken, who was erased, or whose custom value does not fit
 * is left out, and its neighbours go on. Of two with one number, in any spelling, the first is added. `areFree`: the caller has locked these numbers
 * (`lockIdentifiers`) in this transaction and found nobody who has one of them.
 */
export async function addContacts(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  wanted: readonly NewContact[],
  { areFree = false } = {},
): Promise<AddedContact[]> {
  if (wanted.length === 0) return [];
  const { workspaceId } = scope;
  const phones = wanted.map(({ phone }) => phone);
  const custom = await checkCustomInputs(
    scope,
    wanted.map(({ customFields }) => customFields),
  );
  if (!areFree) await lockIdentifiers(scope, workspaceId, phones);
  const people = phones.map((identifier) => ({ workspaceId, identifier }));
  const isErased = await findErased(scope, secrets, people);
  const taken = areFree ? new Set<string>() : await findTaken(scope, phones);
  const source = contactSources[scope.caller.kind];
  const numbers = new Set<string>();
  const rows = wanted.flatMap((fields, place) => {
    const values = custom[place]!; // one for each
    if ('code' in values || isErased(people[place]!) || taken.has(fields.phone)) return [];
    const number = identityOfNumber(fields.phone);
    if (numbers.has(number)) return [];
    numbers.add(number);
    return [{ ...fields, place, id: newId(), custom: values.set }];
  });
  const { rows: added } = await scope.query<ContactRow>(
    `INSERT INTO contacts (id, workspace_id, name, phone, email, tags, status, created_at, updated_at, custom_values, language, source)
     SELECT n.id, $1, n.name, n.phone, n.email, ARRAY(SELECT jsonb_array_elements_text(n.tags)), n.status, $3, $3, n.custom, n.language,
            $4
       FROM jsonb_to_recordset($2::jsonb)
         AS n (place integer, id uuid, name text, phone text, email text, tags jsonb, status text, custom jsonb, language text)
      ORDER BY n.place
     ON CONFLICT (workspace_id, phone) DO NOTHING RETURNING ${contactColumns}`,
    [workspaceId, JSON.stringify(rows), scope.clock(), source ?? 'form'],
  );
  const contacts = await withWords(scope, secrets, added);
  await scope.emitMany(
    rows.flatMap(({ id }) => {
      const contact = contacts.get(id);
      return contact
        ? [{ type: 'contact.created' as const, subject: id, values: { name: contact.name } }]
        : [];
    }),
  );
  await emitTagChanges(
    scope,
    [...contacts.values()].map(({ id, tags }) => ({ contactId: id, before: [], after: tags })),
  );
  const ids = new Map(rows.map(({ place, id }) => [place, id]));
  return wanted.map((_, place) => {
    const values = custom[place]!; // one for each
    if ('code' in values) return values;
    if (isErased(people[place]!)) return 'contact_erased';
    return contacts.get(ids.get(place) ?? '') ?? 'contact_phone_taken';
  });
}

/** Those of these numbers that a contact has in any of its spellings, or is reached under since a merge. */
async function findTaken(scope: ReadScope, phones: readonly string[]): Promise<Set<string>> {
  const spelled = phones.flatMap((phone) => spellingsOf(phone).map((spelling) => ({ phone, spelling })));
  const { rows } = await scope.query<{ phone: string }>(
    `SELECT s.phone FROM unnest($2::text[], $3::text[]) AS s (phone, spelling)
      WHERE EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = s.spelling)
         OR EXISTS (SELECT FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
                     WHERE a.workspace_id = $1 AND a.identifier = s.spelling AND a.until IS NULL)`,
    [scope.workspaceId, spelled.map(({ phone }) => phone), spelled.map(({ spelling }) => spelling)],
  );
  return new Set(rows.map(({ phone }) => phone));
}

/** The contacts with what was said under their numbers before they had them. */
async function withWords(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  rows: readonly ContactRow[],
): Promise<Map<string, Contact>> {
  const contacts = new Map(rows.map((row) => [row.id, presentContact(row)]));
  const recalled = await recallSuppressed(
    scope,
    secrets,
    rows.map(({ id, phone }) => ({
      ...{ workspaceId: scope.workspaceId, contactId: id, identifiers: phone === null ? [] : [phone] },
    })),
  );
  for (const [id, contact] of await readContacts(scope, recalled)) contacts.set(id, contact);
  return contacts;
}

/** These contacts by their ids; those that are not there are missing. */
export async function readContacts(scope: ReadScope, ids: readonly string[]): Promise<Map<string, Contact>> {
  if (ids.length === 0) return new Map();
  const { rows } = await scope.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, presentContact(row)]));
}
