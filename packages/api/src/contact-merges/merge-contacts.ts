import { shareOptOut } from '@app/database/contacts/change-consent';
import { recountConversations } from '@app/database/conversations/note-messages';
import { ownContacts } from '@app/delivery/follow-merges';
import {
  findOptOut,
  mergeContacts,
  type MergeableContact,
  type MergePicks,
} from '@app/domain/contact-merges/merge-rules';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { PeopleData } from '../platform/person-data/gather-person-data.ts';
import type { Moved } from '../platform/person-data/person-data.ts';
import { findContact, type Contact } from '../contacts/contacts-queries.ts';
import { emitTagChanges } from '../contacts/emit-tag-changes.ts';
import { dropMergedContacts, writeMergedContact } from '../contacts/merged-contacts.ts';
import { identifiersOf, lockContacts, toMergeable, type KeptRow } from './mergeable-rows.ts';

export type MergeInput = {
  mergeId: string;
  survivorId: string;
  contacts: readonly { contactId: string; version: number }[];
  picks: MergePicks['fields'];
  /** By the keys of the fields. */
  customPicks: Readonly<Record<string, string>>;
  /** Stands in the timeline as the one who merged. */
  userName: string;
};

/**
 * Makes one contact of several, in the caller's transaction. Conversation, consents and campaign results follow to the
 * survivor; the others are kept for an undo. The same `mergeId` again changes and tells nothing. See docs/decisions/014-merging-contacts.md.
 */
export async function mergeIntoOne(
  scope: WorkspaceScope,
  people: PeopleData,
  input: MergeInput,
): Promise<Contact | 'contact_not_found' | 'contact_changed' | 'contact_merge_not_found'> {
  const { survivorId, contacts: named } = input;
  if (!named.some(({ contactId }) => contactId === survivorId)) return 'contact_not_found';
  await ownContacts(scope, scope.workspaceId);
  const earlier = await findEarlier(scope, input);
  if (earlier) return earlier;
  const ids = named.map(({ contactId }) => contactId);
  await people.lock(scope, ids);
  const rows = await lockContacts(scope, ids);
  if (rows.length !== ids.length) return 'contact_not_found';
  const versions = new Map(named.map(({ contactId, version }) => [contactId, version]));
  if (rows.some(({ id, version }) => versions.get(id) !== version)) return 'contact_changed';

  const survivor = rows.find(({ id }) => id === survivorId)!; // it is among the named ones
  const others = ids.flatMap((id) => rows.find((row) => row.id === id && id !== survivorId) ?? []);
  const fields = await readCustomFields(scope, scope.workspaceId);
  const fieldIds = new Set(fields.map(({ id }) => id));
  const custom = Object.fromEntries(
    fields.flatMap(({ id, key }) => (input.customPicks[key] ? [[id, input.customPicks[key]]] : [])),
  );
  const mergeable = [
    toMergeable(survivor, fieldIds),
    ...others.map((row) => toMergeable(row, fieldIds)),
  ] as const;
  const merged = mergeContacts([...mergeable], { fields: input.picks, custom });

  const consentId = await recordOptOut(scope, mergeable, input);
  const moved = await people.merge(scope, { survivorId, otherIds: others.map(({ id }) => id) });
  await keepMerge(scope, { input, survivor, others, moved, consentId });
  await dropMerged(scope, survivorId, others);
  await writeMergedContact(scope, merged);
  // The window that the survivor has by now is that of the number that stays.
  await recountConversations(scope, scope.workspaceId, [survivorId]);
  await rememberAliases(scope, { input, rows, merged });
  const contact = (await findContact(scope, survivorId))!; // written above
  await scope.emit({
    type: 'contact.merged',
    subject: survivorId,
    values: {
      name: contact.name,
      names: others.map(({ name }) => name),
      otherIds: others.map(({ id }) => id),
    },
  });
  await emitTagChanges(scope, [{ contactId: survivorId, before: survivor.tags, after: contact.tags }]);
  return contact;
}

async function findEarlier(scope: ReadScope, { mergeId }: MergeInput) {
  const { rows } = await scope.query<{ survivor_id: string }>(
    'SELECT survivor_id FROM contact_merges WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, mergeId],
  );
  if (!rows[0]) return null;
  const contact = await findContact(scope, rows[0].survivor_id);
  return contact ?? 'contact_merge_not_found';
}

/**
 * The newest record of consent decides, so an opt-out that holds for all is recorded anew when it does not hold for each already. Where all
 * opted out, or nobody, the survivor's own consent stays.
 */
async function recordOptOut(
  scope: WorkspaceScope,
  people: readonly MergeableContact[],
  { survivorId, userName }: MergeInput,
): Promise<string | null> {
  const { workspaceId } = scope;
  const at = scope.clock();
  const optedOut = findOptOut(people);
  if (!optedOut || people.every(({ optedOutAt }) => optedOutAt !== null)) return null;
  return shareOptOut(
    scope,
    {
      ...{ workspaceId, contactId: survivorId, kind: 'opt_out', source: 'staff', recordedBy: userName, at },
      text: 'Contacts merged: the opt-out of one holds for all',
    },
    { since: new Date(optedOut.optedOutAt ?? at), contactIds: people.map(({ id }) => id) },
  );
}

type Kept = {
  input: MergeInput;
  survivor: KeptRow;
  others: readonly KeptRow[];
  moved: Record<string, Moved>;
  consentId: string | null;
};

async function keepMerge(
  scope: WorkspaceScope,
  { input: { mergeId, userName }, survivor, others, moved, consentId }: Kept,
): Promise<void> {
  const { workspaceId } = scope;
  await scope.query(
    `INSERT INTO contact_merges (id, workspace_id, survivor_id, user_name, names, before, moved, consent_id, merged_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[mergeId, workspaceId, survivor.id, userName, others.map(({ name }) => name)],
      ...[JSON.stringify(survivor), JSON.stringify(moved), consentId, scope.clock()],
    ],
  );
  for (const row of others)
    await scope.query(
      `INSERT INTO contact_merge_parts (workspace_id, merge_id, contact_id, contact, former_ids, former_identifiers)
       SELECT $1, $2, $3, $4, ARRAY(SELECT contact_id FROM merged_contacts WHERE survivor_id = $3),
              ARRAY(SELECT identifier FROM contact_aliases WHERE contact_id = $3)`,
      [workspaceId, mergeId, row.id, JSON.stringify(row)],
    );
}

/** What is theirs has gone to the survivor by then; who merged with them before is the survivor from here on. */
async function dropMerged(
  scope: WorkspaceScope,
  survivorId: string,
  others: readonly KeptRow[],
): Promise<void> {
  const { workspaceId } = scope;
  const ids = others.map(({ id }) => id);
  await scope.query(
    'UPDATE contact_aliases SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])',
    [workspaceId, survivorId, ids],
  );
  await scope.query(
    'UPDATE merged_contacts SET survivor_id = $2 WHERE workspace_id = $1 AND survivor_id = ANY ($3::uuid[])',
    [workspaceId, survivorId, ids],
  );
  await dropMergedContacts(scope, ids);
}

type Remembered = { input: MergeInput; rows: readonly KeptRow[]; merged: MergeableContact };

/** Whoever writes from a number that did not stay is still this person; audiences that name an old id mean the survivor. */
async function rememberAliases(
  scope: WorkspaceScope,
  { input: { mergeId, survivorId }, rows, merged }: Remembered,
): Promise<void> {
  const { workspaceId } = scope;
  const identifiers = rows
    .flatMap(identifiersOf)
    .filter((identifier) => identifier !== merged.phone && identifier !== merged.platformUserId);
  await scope.query(
    `INSERT INTO contact_aliases (workspace_id, identifier, contact_id, merge_id)
     SELECT $1, identifier, $2, $3 FROM unnest($4::text[]) AS identifier
     ON CONFLICT (workspace_id, identifier) DO UPDATE SET contact_id = excluded.contact_id, merge_id = excluded.merge_id, until = NULL`,
    [workspaceId, survivorId, mergeId, identifiers],
  );
  await scope.query(
    `INSERT INTO merged_contacts (contact_id, workspace_id, survivor_id, merge_id)
     SELECT id, $1, $2, $3 FROM unnest($4::uuid[]) AS id ON CONFLICT (contact_id) DO UPDATE
        SET survivor_id = excluded.survivor_id, merge_id = excluded.merge_id`,
    [workspaceId, survivorId, mergeId, rows.map(({ id }) => id).filter((id) => id !== survivorId)],
  );
  await scope.query(
    `UPDATE contact_merges SET after = (SELECT to_jsonb(c) - 'search_text' FROM contacts c WHERE c.id = $3)
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, mergeId, survivorId],
  );
}
