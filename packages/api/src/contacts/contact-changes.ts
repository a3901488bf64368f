import { newId } from '@app/database/new-id';
import type { ContactStatus } from '@app/domain/contacts/contact';
import type pg from 'pg';
import { findErased, lockIdentifier } from '../platform/erased-people.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { contactColumns, presentContact, type Contact, type ContactRow } from './contacts-queries.ts';
import { checkCustomInput, type CustomInput, type CustomRefusal } from './custom-values.ts';
import { readPhoneNumber } from './phone-number.ts';

export type ContactFields = {
  name: string;
  phone: string;
  email: string | null;
  tags: string[];
  status: ContactStatus;
  customFields: CustomInput;
};

export async function addContact(
  client: pg.PoolClient,
  context: SignedInContext,
  { name, phone, email, tags, status, customFields }: ContactFields,
): Promise<Contact | CustomRefusal | 'contact_phone_invalid' | 'contact_phone_taken' | 'contact_erased'> {
  const { workspaceId } = context.session;
  const number = readPhoneNumber(phone);
  if (!number) return 'contact_phone_invalid';
  const custom = await checkCustomInput(client, workspaceId, customFields);
  if ('code' in custom) return custom;
  if (await isErased(client, context, [number])) return 'contact_erased';
  const { rows } = await client.query<ContactRow>(
    `INSERT INTO contacts (id, workspace_id, name, phone, email, tags, status, created_at, updated_at, custom_values)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9) ON CONFLICT (workspace_id, phone) DO NOTHING RETURNING ${contactColumns}`,
    [newId(), workspaceId, name, number, email, tags, status, context.clock(), custom.set],
  );
  return rows[0] ? presentContact(rows[0]) : 'contact_phone_taken';
}

type Changes = { [Field in keyof ContactFields]?: ContactFields[Field] | undefined };

/** Writes the given fields alone, and only over the version that the caller saw. */
export async function changeContact(
  client: pg.PoolClient,
  context: SignedInContext,
  { contactId, version, customFields, ...changes }: { contactId: string; version: number } & Changes,
): Promise<
  | Contact
  | CustomRefusal
  | 'contact_not_found'
  | 'contact_changed'
  | 'contact_phone_invalid'
  | 'contact_phone_taken'
  | 'contact_erased'
> {
  const { workspaceId } = context.session;
  const { rows: found } = await client.query<{ version: number; phone: string | null }>(
    'SELECT version, phone FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [workspaceId, contactId],
  );
  const [current] = found;
  if (!current) return 'contact_not_found';
  if (current.version !== version) return 'contact_changed';
  const next = { ...changes };
  if (next.phone !== undefined && next.phone !== current.phone) {
    const number = readPhoneNumber(next.phone);
    if (!number) return 'contact_phone_invalid';
    if (await isPhoneTaken(client, workspaceId, number, contactId)) return 'contact_phone_taken';
    if (await isErased(client, context, [number])) return 'contact_erased';
    next.phone = number;
  }
  const custom = await checkCustomInput(client, workspaceId, customFields ?? {});
  if ('code' in custom) return custom;
  const fields = (['name', 'phone', 'email', 'tags', 'status'] as const).filter(
    (field) => next[field] !== undefined,
  );
  const { rows } = await client.query<ContactRow>(
    `UPDATE contacts SET version = version + 1, updated_at = $3, custom_values = (custom_values - $4::text[]) || $5::jsonb
            ${fields.map((field, index) => `, ${field} = $${index + 6}`).join('')}
      WHERE workspace_id = $1 AND id = $2 RETURNING ${contactColumns}`,
    [
      ...[workspaceId, contactId, context.clock(), custom.removed, custom.set],
      ...fields.map((field) => next[field]),
    ],
  );
  return rows[0] ? presentContact(rows[0]) : 'contact_not_found';
}

/** Whether one of these numbers and platform ids belongs to a person who was erased. */
async function isErased(
  client: pg.PoolClient,
  { session: { workspaceId }, secrets }: SignedInContext,
  identifiers: readonly string[],
): Promise<boolean> {
  const people = identifiers.toSorted().map((identifier) => ({ workspaceId, identifier }));
  for (const person of people) await lockIdentifier(client, person);
  return people.some(await findErased(client, secrets, people));
}

async function isPhoneTaken(client: pg.PoolClient, workspaceId: string, phone: string, exceptId: string) {
  const { rowCount } = await client.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND phone = $2 AND id <> $3',
    [workspaceId, phone, exceptId],
  );
  return rowCount !== 0;
}

const KEPT_FOR = `interval '1 hour'`;

/** Deletes a contact and keeps it, with its conversation, for an hour. Answers with its name. */
export async function removeContact(
  client: pg.PoolClient,
  workspaceId: string,
  contactId: string,
  at: Date,
): Promise<string | null> {
  await client.query(
    `DELETE FROM deleted_contacts WHERE workspace_id = $1 AND deleted_at < $2::timestamptz - ${KEPT_FOR}`,
    [workspaceId, at],
  );
  const { rows } = await client.query<{ name: string }>(
    `WITH doomed AS (SELECT * FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE),
          kept AS (INSERT INTO deleted_contacts (contact_id, workspace_id, contact, messages, consents, deleted_at)
                   SELECT d.id, d.workspace_id, to_jsonb(d),
                          (SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]') FROM messages m WHERE m.contact_id = d.id),
                          (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM contact_consents s WHERE s.contact_id = d.id), $3
                     FROM doomed d
                   ON CONFLICT (contact_id) DO UPDATE SET contact = excluded.contact, messages = excluded.messages,
                     consents = excluded.consents, deleted_at = excluded.deleted_at)
     SELECT name FROM doomed`,
    [workspaceId, contactId, at],
  );
  if (!rows[0]) return null;
  await client.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = $2', [workspaceId, contactId]);
  return rows[0].name;
}

/** Brings a deleted contact back as it was, under its old id. */
export async function restoreContact(
  client: pg.PoolClient,
  context: SignedInContext,
  contactId: string,
): Promise<Contact | 'contact_not_found' | 'contact_phone_taken' | 'contact_erased'> {
  const { workspaceId } = context.session;
  const { rows: kept } = await client.query<{
    contact: { phone: string | null; platform_user_id: string | null };
    messages: object[];
    consents: object[];
  }>(
    'DELETE FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = $2 RETURNING contact, messages, consents',
    [workspaceId, contactId],
  );
  if (!kept[0]) return 'contact_not_found';
  const { phone, platform_user_id: userId } = kept[0].contact;
  const identifiers = [phone, userId].filter((identifier) => identifier !== null);
  if (await isErased(client, context, identifiers)) return 'contact_erased';
  const { rows } = await client.query<ContactRow>(
    `INSERT INTO contacts (id, workspace_id, name, phone, platform_user_id, email, tags, status, last_message,
                           last_message_at, window_expires_at, opted_out_at, import_id, created_at, updated_at, version, custom_values)
     SELECT id, workspace_id, name, phone, platform_user_id, email, tags, status, last_message,
            last_message_at, window_expires_at, opted_out_at, import_id, created_at, updated_at, version,
            (SELECT coalesce(jsonb_object_agg(v.key, v.value), '{}')
               FROM jsonb_each(custom_values) AS v JOIN custom_fields f ON f.id = v.key::uuid)
       FROM jsonb_populate_record(NULL::contacts, $1)
     ON CONFLICT DO NOTHING RETURNING ${contactColumns}`,
    [JSON.stringify(kept[0].contact)],
  );
  if (!rows[0]) return 'contact_phone_taken';
  for (const table of ['messages', 'contact_consents'] as const) {
    await client.query(
      `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1) ON CONFLICT DO NOTHING`,
      [JSON.stringify(table === 'messages' ? kept[0].messages : kept[0].consents)],
    );
  }
  return presentContact(rows[0]);
}
