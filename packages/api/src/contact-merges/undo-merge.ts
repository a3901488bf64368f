import { takeBackOptOut } from '@app/database/contacts/change-consent';
import { recountConversations } from '@app/database/conversations/note-messages';
import { ownContacts } from '@app/delivery/follow-merges';
import { mergeLimits, undoFields, type UndoneFields } from '@app/domain/contact-merges/merge-rules';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import { findErased, lockIdentifiers, type Fingerprints } from '../platform/erased-people.ts';
import { deleteAnswersAbout } from '../platform/idempotency.ts';
import { recallSuppressed } from '../platform/suppression-list.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { emitTagChanges } from '../contacts/emit-tag-changes.ts';
import { findContact, type Contact } from '../contacts/contacts-queries.ts';
import { addPartedContact, refreshLastMessage, writeMergedContact } from '../contacts/merged-contacts.ts';
import type { PeopleData } from '../platform/person-data/gather-person-data.ts';
import type { Moved } from '../platform/person-data/person-data.ts';
import { identifiersOf, lockContacts, timeOf, toMergeable, type KeptRow } from './mergeable-rows.ts';

type MergeRow = {
  survivor_id: string;
  before: KeptRow | null;
  after: KeptRow;
  moved: Record<string, Moved>;
  consent_id: string | null;
  merged_at: Date;
  undone_at: Date | null;
};

type Part = {
  contact_id: string;
  contact: KeptRow;
  former_ids: string[];
  former_identifiers: string[];
};

export type UndoneMerge = { contact: Contact; restored: number; kept: string[] };

export type UndoError =
  | {
      code:
        | 'contact_merge_not_found'
        | 'contact_merge_too_old'
        | 'contact_merge_survivor_gone'
        | 'contact_erased';
    }
  /** By the name of the contact concerned. */
  | { code: 'contact_merge_merged_again' | 'contact_merge_number_taken'; name: string };

/** Takes a merge back, in the caller's transaction. What somebody changed since stays with the survivor. A second time changes and tells nothing. */
export async function undoMerge(
  scope: WorkspaceScope,
  { people, secrets }: { people: PeopleData; secrets: Fingerprints },
  mergeId: string,
): Promise<UndoneMerge | UndoError> {
  const { workspaceId } = scope;
  const at = scope.clock();
  await ownContacts(scope, workspaceId);
  const { rows } = await scope.query<MergeRow>(
    `SELECT survivor_id, before, after, moved, consent_id, merged_at, undone_at FROM contact_merges
      WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, mergeId],
  );
  const [merge] = rows;
  if (!merge) return { code: 'contact_merge_not_found' };
  if (merge.undone_at) return repeatAnswer(scope, merge.survivor_id);
  const age = at.getTime() - merge.merged_at.getTime();
  if (!merge.before || age > mergeLimits.undoDays * 86_400_000) return { code: 'contact_merge_too_old' };
  const { rows: parts } = await scope.query<Part>(
    'SELECT * FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id = $2 ORDER BY contact_id',
    [workspaceId, mergeId],
  );
  await people.lock(scope, [merge.survivor_id, ...parts.map((part) => part.contact_id)]);
  const [survivor] = await lockContacts(scope, [merge.survivor_id]);
  if (!survivor) return explainMissing(scope, merge.survivor_id);

  const fieldIds = new Set((await readCustomFields(scope, workspaceId)).map(({ id }) => id));
  const read = (row: KeptRow) => toMergeable(row, fieldIds);
  const [after, now] = [read(merge.after), read(survivor)];
  // An id that the platform told since may be that of another one of them: it comes again with what they write next.
  if (now.platformUserId !== after.platformUserId && (await haveSpokenSince(scope, merge, parts)))
    now.platformUserId = after.platformUserId;
  const { fields, kept } = undoFields(read(merge.before), after, now);
  const refusal = await findObstacle(scope, secrets, { parts, fields, survivorId: survivor.id });
  if (refusal) return refusal;

  // Before the others come back, because a number belongs to one contact at a time.
  await writeSurvivor(scope, { merge, fields });
  const isBlockedSince = now.status === 'blocked' && after.status === 'active';
  for (const { contact } of parts)
    await addPartedContact(scope, { ...contact, status: isBlockedSince ? 'blocked' : contact.status });
  await people.unmerge(
    scope,
    {
      ...{ survivorId: survivor.id, mergedAt: merge.merged_at },
      parts: parts.map(({ contact_id: contactId, contact }) => ({
        contactId,
        identifiers: identifiersOf(contact),
      })),
    },
    merge.moved,
  );
  await recallSuppressed(
    scope,
    secrets,
    [
      { contactId: survivor.id, identifiers: [fields.phone, fields.platformUserId] },
      ...parts.map(({ contact_id: contactId, contact }) => ({
        contactId,
        identifiers: identifiersOf(contact),
      })),
    ].map(({ contactId, identifiers }) => ({
      ...{ workspaceId, contactId, identifiers: identifiers.filter((one) => one !== null) },
    })),
  );
  await restoreAliases(scope, { mergeId, survivorId: survivor.id, parts });
  const parted = [survivor.id, ...parts.map((part) => part.contact_id)];
  for (const contactId of parted) await refreshLastMessage(scope, contactId);
  await recountConversations(scope, workspaceId, parted);
  await scope.query(
    `UPDATE contact_merges SET undone_at = $3, before = NULL, after = NULL, moved = '{}', names = '{}'
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, mergeId, at],
  );
  await scope.query('DELETE FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id = $2', [
    workspaceId,
    mergeId,
  ]);
  // What was answered of the one that they were tells of all of them.
  await deleteAnswersAbout(scope, [survivor.id]);
  const contact = (await findContact(scope, survivor.id))!; // written above
  await scope.emit({
    type: 'contact.unmerged',
    subject: contact.id,
    values: { name: contact.name, otherIds: parts.map((part) => part.contact_id) },
  });
  await emitTagChanges(scope, [{ contactId: contact.id, before: survivor.tags, after: contact.tags }]);
  return { contact, restored: parts.length, kept };
}

async function repeatAnswer(scope: ReadScope, survivorId: string) {
  const contact = await findContact(scope, survivorId);
  if (!contact) return { code: 'contact_merge_not_found' } as const;
  return { contact, restored: 0, kept: [] };
}

async function explainMissing(scope: ReadScope, survivorId: string): Promise<UndoError> {
  const { rows } = await scope.query<{ name: string }>(
    `SELECT c.name FROM merged_contacts m JOIN contacts c ON c.id = m.survivor_id
      WHERE m.workspace_id = $1 AND m.contact_id = $2`,
    [scope.workspaceId, survivorId],
  );
  return rows[0]
    ? { code: 'contact_merge_merged_again', name: rows[0].name }
    : { code: 'contact_merge_survivor_gone' };
}

/** Whether the platform brought anything from a number of those who come back. */
async function haveSpokenSince(
  scope: ReadScope,
  { survivor_id: survivorId, merged_at: mergedAt }: MergeRow,
  parts: readonly Part[],
): Promise<boolean> {
  const identifiers = parts.flatMap(({ contact }) => identifiersOf(contact));
  const { rowCount } = await scope.query(
    `SELECT FROM messages WHERE workspace_id = $1 AND contact_id = $2 AND received_at >= $3 AND payload->>'from' = ANY ($4::text[])
     UNION ALL SELECT FROM contact_consents
      WHERE workspace_id = $1 AND contact_id = $2 AND recorded_at >= $3 AND sender = ANY ($5::text[]) LIMIT 1`,
    [
      ...[scope.workspaceId, survivorId, mergedAt],
      ...[identifiers.map((identifier) => identifier.replace(/^\+/, '')), identifiers],
    ],
  );
  return rowCount !== 0;
}

type Obstacle = {
  parts: readonly Part[];
  fields: UndoneFields;
  survivorId: string;
};

/** Why the contacts cannot come back: erased since, or a number that somebody else has by now. */
async function findObstacle(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { parts, fields, survivorId }: Obstacle,
): Promise<UndoError | null> {
  const { workspaceId } = scope;
  const people = parts.flatMap(({ contact }) => identifiersOf(contact));
  const own = [fields.phone, fields.platformUserId].filter((identifier) => identifier !== null);
  await lockIdentifiers(scope, workspaceId, [...people, ...own]);
  const asked = [...people, ...own].map((identifier) => ({ workspaceId, identifier }));
  if (asked.some(await findErased(scope, secrets, asked))) return { code: 'contact_erased' };
  const { rows } = await scope.query<{ name: string }>(
    `SELECT name FROM contacts WHERE workspace_id = $1 AND id <> $2
        AND (phone = ANY ($3::text[]) OR platform_user_id = ANY ($3::text[])) LIMIT 1`,
    [workspaceId, survivorId, [...people, ...own]],
  );
  if (rows[0]) return { code: 'contact_merge_number_taken', name: rows[0].name };
  // Somebody gave the survivor the number of a merged contact since.
  return own.some((identifier) => people.includes(identifier))
    ? { code: 'contact_merge_number_taken', name: fields.name }
    : null;
}

type Survivor = { merge: MergeRow; fields: UndoneFields };

async function writeSurvivor(scope: WorkspaceScope, { merge, fields }: Survivor): Promise<void> {
  const { survivor_id: id, before } = merge;
  await takeBackOptOut(scope, {
    ...{ contactId: id, consentId: merge.consent_id },
    optedOutAt: before?.opted_out_at ? new Date(before.opted_out_at) : null,
  });
  await writeMergedContact(scope, {
    ...fields,
    id,
    lastMessage: before?.last_message ?? null,
    lastMessageAt: timeOf(before?.last_message_at ?? null),
    windowExpiresAt: timeOf(before?.window_expires_at ?? null),
  });
}

type Aliases = { mergeId: string; survivorId: string; parts: readonly Part[] };

/** Names of this merge go; those of earlier merges return to the contact that they belonged to. */
async function restoreAliases(scope: WorkspaceScope, { mergeId, survivorId, parts }: Aliases): Promise<void> {
  const { workspaceId } = scope;
  await scope.query('DELETE FROM contact_aliases WHERE workspace_id = $1 AND merge_id = $2', [
    workspaceId,
    mergeId,
  ]);
  await scope.query('DELETE FROM merged_contacts WHERE workspace_id = $1 AND merge_id = $2', [
    workspaceId,
    mergeId,
  ]);
  for (const part of parts) {
    await scope.query(
      `UPDATE contact_aliases SET contact_id = $2
        WHERE workspace_id = $1 AND contact_id = $3 AND identifier = ANY ($4::text[])`,
      [workspaceId, part.contact_id, survivorId, part.former_identifiers],
    );
    await scope.query(
      `UPDATE merged_contacts SET survivor_id = $2
        WHERE workspace_id = $1 AND survivor_id = $3 AND contact_id = ANY ($4::uuid[])`,
      [workspaceId, part.contact_id, survivorId, part.former_ids],
    );
  }
}
