import { takeBackOptOut } from '@app/database/contacts/record-consents';
import { ownContacts } from '@app/delivery/follow-merges';
import { mergeLimits, undoFields, type UndoneFields } from '@app/domain/contact-merges/merge-rules';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import { findErased, lockIdentifiers, type Fingerprints } from '../platform/erased-people.ts';
import { recallWords } from '../platform/kept-words.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { findContact, type Contact } from '../contacts/contacts-queries.ts';
import { keptColumns, storedColumns } from '../contacts/deleted-contacts.ts';
import { identifiersOf, lockContacts, toMergeable, type KeptRow } from './mergeable-rows.ts';
import { partConsents } from './part-consents.ts';

type MergeRow = {
  survivor_id: string;
  before: KeptRow | null;
  after: KeptRow;
  recipients: [runNo: string, seq: number, before: string, after: string][];
  consent_id: string | null;
  merged_at: Date;
  undone_at: Date | null;
};

type Part = {
  contact_id: string;
  contact: KeptRow;
  message_ids: string[];
  consent_ids: string[];
  former_ids: string[];
  former_identifiers: string[];
  hold_until: Date | null;
};

export type UndoneMerge = { contact: Contact; restored: number; kept: string[] };

export type UndoRefusal =
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
  secrets: Fingerprints,
  mergeId: string,
): Promise<UndoneMerge | UndoRefusal> {
  const { workspaceId } = scope;
  const at = scope.clock();
  await ownContacts(scope, workspaceId);
  const { rows } = await scope.query<MergeRow>(
    `SELECT survivor_id, before, after, recipients, consent_id, merged_at, undone_at FROM contact_merges
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
  await lockChangedRecipients(scope, merge);
  const [survivor] = await lockContacts(scope, [merge.survivor_id]);
  if (!survivor) return explainMissing(scope, merge.survivor_id);

  const fieldIds = new Set((await readCustomFields(scope, workspaceId)).map(({ id }) => id));
  const read = (row: KeptRow) => toMergeable(row, fieldIds);
  const [after, now] = [read(merge.after), read(survivor)];
  const { fields, kept } = undoFields(read(merge.before), after, now);
  const refusal = await findObstacle(scope, secrets, { parts, fields, survivorId: survivor.id });
  if (refusal) return refusal;

  // Before the others come back, because a number belongs to one contact at a time.
  await writeSurvivor(scope, { merge, fields });
  const isBlockedSince = now.status === 'blocked' && after.status === 'active';
  for (const part of parts) await restorePart(scope, { merge, part, isBlockedSince });
  await partConsents(scope, {
    survivorId: survivor.id,
    mergedAt: merge.merged_at,
    parts: parts.map(({ contact_id: contactId, contact }) => ({
      contactId,
      identifiers: identifiersOf(contact),
    })),
  });
  await recallWords(
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
  await restoreRecipients(scope, merge);
  await restoreAliases(scope, { mergeId, survivorId: survivor.id, parts });
  for (const contactId of [survivor.id, ...parts.map((part) => part.contact_id)])
    await refreshLastMessage(scope, contactId);
  await scope.query(
    `UPDATE contact_merges SET undone_at = $3, before = NULL, after = NULL, recipients = '[]', names = '{}'
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, mergeId, at],
  );
  await scope.query('DELETE FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id = $2', [
    workspaceId,
    mergeId,
  ]);
  const contact = (await findContact(scope, survivor.id))!; // written above
  await scope.tell({
    type: 'contact.unmerged',
    subject: contact.id,
    values: { name: contact.name, otherIds: parts.map((part) => part.contact_id) },
  });
  return { contact, restored: parts.length, kept };
}

async function repeatAnswer(scope: ReadScope, survivorId: string) {
  const contact = await findContact(scope, survivorId);
  if (!contact) return { code: 'contact_merge_not_found' } as const;
  return { contact, restored: 0, kept: [] };
}

async function explainMissing(scope: ReadScope, survivorId: string): Promise<UndoRefusal> {
  const { rows } = await scope.query<{ name: string }>(
    `SELECT c.name FROM merged_contacts m JOIN contacts c ON c.id = m.survivor_id
      WHERE m.workspace_id = $1 AND m.contact_id = $2`,
    [scope.workspaceId, survivorId],
  );
  return rows[0]
    ? { code: 'contact_merge_merged_again', name: rows[0].name }
    : { code: 'contact_merge_survivor_gone' };
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
): Promise<UndoRefusal | null> {
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
  await scope.query(
    `UPDATE contacts SET name = $3, phone = $4, platform_user_id = $5, email = $6, tags = $7, status = $8,
            custom_values = $9, last_message = $10, last_message_at = $11, window_expires_at = $12, updated_at = $13,
            version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, id, fields.name, fields.phone, fields.platformUserId, fields.email, fields.tags],
      ...[fields.status, JSON.stringify(fields.customValues), before?.last_message, before?.last_message_at],
      ...[before?.window_expires_at, scope.clock()],
    ],
  );
}

type Restored = { merge: MergeRow; part: Part; isBlockedSince: boolean };

async function restorePart(scope: WorkspaceScope, { merge, part, isBlockedSince }: Restored): Promise<void> {
  const { workspaceId } = scope;
  const { contact_id: id, contact } = part;
  const row = { ...contact, status: isBlockedSince ? 'blocked' : contact.status };
  await scope.query(
    `INSERT INTO contacts (${storedColumns}) SELECT ${keptColumns} FROM jsonb_populate_record(NULL::contacts, $1)`,
    [JSON.stringify(row)],
  );
  // What arrived since from the number of this contact is its own, too.
  await scope.query(
    `UPDATE messages SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = $3 AND (id = ANY ($4::uuid[])
        OR (received_at >= $5 AND $6 IN (payload->>'from', payload->>'to')))`,
    [workspaceId, id, merge.survivor_id, part.message_ids, merge.merged_at, contact.phone?.slice(1) ?? ''],
  );
  await scope.query(
    'UPDATE contact_consents SET contact_id = $2 WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
    [workspaceId, id, part.consent_ids],
  );
  if (part.hold_until && part.hold_until > scope.clock())
    await scope.query('INSERT INTO marketing_holds (workspace_id, contact_id, until) VALUES ($1, $2, $3)', [
      ...[workspaceId, id, part.hold_until],
    ]);
}

/** Message and window follow what is stored by now; the row says what was known before the merge. */
async function refreshLastMessage(scope: WorkspaceScope, contactId: string): Promise<void> {
  const { workspaceId } = scope;
  await scope.query(
    `UPDATE contacts c SET last_message = coalesce(m.text, '[deleted]'), last_message_at = m.occurred_at
       FROM (SELECT text, occurred_at FROM messages WHERE contact_id = $2 AND target_id IS NULL ORDER BY occurred_at DESC LIMIT 1) AS m
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.occurred_at > coalesce(c.last_message_at, '-infinity')`,
    [workspaceId, contactId],
  );
  await scope.query(
    `UPDATE contacts c SET window_expires_at = m.until
       FROM (SELECT max(occurred_at) + interval '24 hours' AS until FROM messages WHERE contact_id = $2 AND direction = 'in'
                                   AND target_id IS NULL) AS m
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.until > coalesce(c.window_expires_at, '-infinity')`,
    [workspaceId, contactId],
  );
}

async function lockChangedRecipients(scope: WorkspaceScope, { recipients }: MergeRow): Promise<void> {
  for (const [runNo, seq] of inOrder(recipients))
    await scope.query('SELECT FROM delivery_recipients WHERE run_no = $1 AND seq = $2 FOR UPDATE', [
      runNo,
      seq,
    ]);
}

/** A recipient that was given to somebody else since, or erased, stays where it is. */
async function restoreRecipients(scope: WorkspaceScope, { recipients }: MergeRow): Promise<void> {
  for (const [runNo, seq, before, after] of inOrder(recipients))
    await scope.query(
      'UPDATE delivery_recipients SET contact_id = $3 WHERE run_no = $1 AND seq = $2 AND contact_id = $4',
      [runNo, seq, before, after],
    );
}

function inOrder(recipients: MergeRow['recipients']): MergeRow['recipients'] {
  return recipients.toSorted(
    ([run, seq], [otherRun, otherSeq]) => Number(run) - Number(otherRun) || seq - otherSeq,
  );
}

type Aliases = { mergeId: string; survivorId: string; parts: readonly Part[] };

/** Names of this merge go; those of earlier merges return to the contact that they belonged to. */
async function restoreAliases(scope: WorkspaceScope, { mergeId, survivorId, parts }: Aliases): Promise<void> {
  const { workspaceId } = scope;
  for (const table of ['contact_aliases', 'merged_contacts'])
    await scope.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND merge_id = $2`, [
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
