import { HOURS_DELETED_KEPT } from '@app/domain/data-management/retention';
import { withoutRollups } from '@app/database/analytics/count-rollups';
import { returnKeptConsents, settleConsents } from '@app/database/contacts/change-consent';
import type { SqlQueries } from '@app/database/sql-queries';
import { findErased, lockIdentifiers, type Fingerprints } from '../platform/erased-people.ts';
import { suppressContacts, recallSuppressed } from '../platform/suppression-list.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import {
  insertConversations,
  restoreMessages,
  settleRestored,
  type KeptConversations,
} from '../conversations/follow-contacts.ts';
import { contactColumns, presentContact, type Contact, type ContactRow } from './contacts-queries.ts';

/** How long a deletion can be taken back. */
export const KEPT_FOR_MS = HOURS_DELETED_KEPT * 3_600_000;

const plainColumns = `id, workspace_id, name, phone, platform_user_id, email, language, tags, status, last_message, last_message_at,
  window_expires_at, opted_out_at, import_id, source, created_at, updated_at, version`;

/** Everything of a contact that is written; the rest is worked out from it. */
export const storedColumns = `${plainColumns}, custom_values`;

/** The same, read from a kept copy: without values of fields that were deleted since. */
export const keptColumns = `${plainColumns}, (SELECT coalesce(jsonb_object_agg(v.key, v.value), '{}')
  FROM jsonb_each(custom_values) AS v JOIN custom_fields f ON f.id = v.key::uuid)`;

type Deletion = { contactIds: readonly string[]; removalId?: string | undefined };

/** Deletes contacts and keeps them, with their conversations, for an hour. Answers with those that were there. */
export async function removeContacts(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { contactIds, removalId }: Deletion,
): Promise<{ id: string; name: string }[]> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string; name: string }>(
    'SELECT id, name FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE',
    [workspaceId, contactIds],
  );
  const doomedIds = rows.map(({ id }) => id);
  // A statement of its own: it sees what others committed while this one waited for the locks.
  await scope.query(
    `INSERT INTO deleted_contacts (contact_id, workspace_id, contact, messages, conversations, conversation_marks, conversation_notes, connector_threads, consents, hold_until, deleted_at, removal_id)
     SELECT d.id, d.workspace_id, to_jsonb(d),
            (SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]') FROM messages m WHERE m.contact_id = d.id),
            (SELECT coalesce(jsonb_agg(to_jsonb(v)), '[]') FROM conversations v WHERE v.contact_id = d.id),
            (SELECT coalesce(jsonb_agg(to_jsonb(k)), '[]') FROM conversations v JOIN conversation_marks k ON k.conversation_id = v.id
              WHERE v.contact_id = d.id),
            (SELECT coalesce(jsonb_agg(to_jsonb(n)), '[]') FROM conversations v JOIN conversation_notes n ON n.conversation_id = v.id
              WHERE v.contact_id = d.id),
            (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM conversations v JOIN connector_threads t ON t.conversation_id = v.id
              WHERE v.contact_id = d.id),
            (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') FROM contact_consents s WHERE s.contact_id = d.id),
            (SELECT until FROM marketing_holds h WHERE h.contact_id = d.id), $3, $4
       FROM contacts d WHERE d.workspace_id = $1 AND d.id = ANY ($2::uuid[])
     ON CONFLICT (contact_id) DO UPDATE SET contact = excluded.contact, messages = excluded.messages,
       conversations = excluded.conversations, conversation_marks = excluded.conversation_marks,
       conversation_notes = excluded.conversation_notes, connector_threads = excluded.connector_threads,
       consents = excluded.consents, hold_until = excluded.hold_until, deleted_at = excluded.deleted_at, removal_id = excluded.removal_id`,
    [workspaceId, doomedIds, scope.clock(), removalId ?? null],
  );
  await suppressContacts(scope, secrets, { workspaceId, contactIds: doomedIds });
  await scope.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
    workspaceId,
    doomedIds,
  ]);
  return rows;
}

/** For good: whoever calls it has seen to it that nobody restores them now. */
export async function deleteDeleted(client: SqlQueries, contactIds: readonly string[]): Promise<void> {
  await client.query('DELETE FROM deleted_contacts WHERE contact_id = ANY ($1::uuid[])', [contactIds]);
}

/** Answers with the name of the deleted contact. */
export async function removeContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  contactId: string,
): Promise<string | null> {
  const [removed] = await removeContacts(scope, secrets, { contactIds: [contactId] });
  if (!removed) return null;
  await scope.emit({ type: 'contact.deleted', subject: contactId, values: { name: removed.name } });
  return removed.name;
}

type Kept = { contact_id: string; phone: string | null; user_id: string | null };
type Restored = { contacts: Contact[]; found: number; erased: number };

/** Brings contacts back as they were, under their old ids. Those whose number is taken stay deleted. */
export async function restoreContacts(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  contactIds: readonly string[],
): Promise<Restored> {
  const { workspaceId } = scope;
  const { rows: kept } = await scope.query<Kept>(
    `SELECT contact_id, contact->>'phone' AS phone, contact->>'platform_user_id' AS user_id
       FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) ORDER BY contact_id FOR UPDATE`,
    [workspaceId, contactIds],
  );
  const people = kept.flatMap(peopleOf);
  await lockIdentifiers(scope, workspaceId, people);
  const isErased = await findErased(
    scope,
    secrets,
    people.map((identifier) => ({ workspaceId, identifier })),
  );
  const allowed = kept.filter(
    (one) => !peopleOf(one).some((identifier) => isErased({ workspaceId, identifier })),
  );
  const { rows } = await withoutRollups(scope, () =>
    scope.query<ContactRow>(
      `INSERT INTO contacts (${storedColumns})
       SELECT ${keptColumns} FROM (
         SELECT (jsonb_populate_record(NULL::contacts, k.contact)).* FROM deleted_contacts k
          WHERE k.workspace_id = $1 AND k.contact_id = ANY ($2::uuid[]) ORDER BY k.contact_id) AS c
       ON CONFLICT DO NOTHING RETURNING ${contactColumns}`,
      [workspaceId, allowed.map(({ contact_id: id }) => id)],
    ),
  );
  const contacts = await restoreBelongings(scope, secrets, rows);
  return { contacts: contacts.map(presentContact), found: kept.length, erased: kept.length - allowed.length };
}

/** Answers with the contacts as they are by then: somebody may have stopped marketing meanwhile. */
async function restoreBelongings(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  restored: readonly ContactRow[],
): Promise<ContactRow[]> {
  const { workspaceId } = scope;
  const contactIds = restored.map(({ id }) => id);
  const { rows: kept } = await scope.query<KeptConversations>(
    `SELECT conversations, conversation_marks AS marks, conversation_notes AS notes, connector_threads AS threads FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`,
    [workspaceId, contactIds],
  );
  await insertConversations(scope, {
    conversations: kept.flatMap(({ conversations }) => conversations),
    marks: kept.flatMap(({ marks }) => marks),
    notes: kept.flatMap(({ notes = [] }) => notes),
    threads: kept.flatMap(({ threads = [] }) => threads),
  });
  await restoreMessages(scope, contactIds);
  await returnKeptConsents(scope, workspaceId, contactIds);
  await settleRestored(scope, contactIds);
  await scope.query(
    `INSERT INTO marketing_holds (workspace_id, contact_id, until)
     SELECT workspace_id, contact_id, hold_until FROM deleted_contacts
      WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND hold_until > now() ON CONFLICT DO NOTHING`,
    [workspaceId, contactIds],
  );
  await scope.query(
    'DELETE FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
    [workspaceId, contactIds],
  );
  const settled = await settleConsents(scope, contactIds);
  const recalled = await recallSuppressed(scope, secrets, await identify(scope, contactIds));
  if (settled.length + recalled.length === 0) return [...restored];
  const { rows } = await scope.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
      ORDER BY array_position($2::uuid[], id)`,
    [workspaceId, contactIds],
  );
  return rows;
}

export async function restoreContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  contactId: string,
): Promise<Contact | 'contact_not_found' | 'contact_phone_taken' | 'contact_erased'> {
  const { contacts, found, erased } = await restoreContacts(scope, secrets, [contactId]);
  const [restored] = contacts;
  if (restored) {
    await scope.emit({ type: 'contact.restored', subject: restored.id, values: { name: restored.name } });
    return restored;
  }
  if (found === 0) return 'contact_not_found';
  return erased > 0 ? 'contact_erased' : 'contact_phone_taken';
}

/** By all that they are known by, also since a merge. */
async function identify(scope: ReadScope, contactIds: readonly string[]) {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string; identifiers: string[] }>(
    `SELECT id, array_remove(ARRAY[phone, platform_user_id]
              || ARRAY(SELECT identifier FROM contact_aliases WHERE contact_id = c.id AND until IS NULL), NULL) AS identifiers
       FROM contacts c WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [workspaceId, contactIds],
  );
  return rows.map(({ id, identifiers }) => ({ workspaceId, contactId: id, identifiers }));
}

function peopleOf({ phone, user_id: userId }: Kept): string[] {
  return [phone, userId].filter((identifier) => identifier !== null);
}
