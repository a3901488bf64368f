import { takeBackOptOut } from '@app/database/contacts/record-consents';
import { ownContacts } from '@app/delivery/follow-merges';
import { mergeLimits, undoFields, type UndoneFields } from '@app/domain/contact-merges/merge-rules';
import type pg from 'pg';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import { findErased, lockIdentifiers } from '../platform/erased-people.ts';
import { recallWords } from '../platform/kept-words.ts';
import type { SecretBox } from '../platform/request-context.ts';
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

export type UndoneMerge = { contact: Contact; restored: number; kept: string[]; isRepeat: boolean };

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

type UndoInput = { mergeId: string; secrets: Pick<SecretBox, 'fingerprint'>; at: Date };

/** Takes a merge back, in the caller's transaction. What somebody changed since stays with the survivor. */
export async function undoMerge(
  client: pg.PoolClient,
  workspaceId: string,
  { mergeId, secrets, at }: UndoInput,
): Promise<UndoneMerge | UndoRefusal> {
  await ownContacts(client, workspaceId);
  const { rows } = await client.query<MergeRow>(
    `SELECT survivor_id, before, after, recipients, consent_id, merged_at, undone_at FROM contact_merges
      WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, mergeId],
  );
  const [merge] = rows;
  if (!merge) return { code: 'contact_merge_not_found' };
  if (merge.undone_at) return repeatAnswer(client, workspaceId, merge.survivor_id);
  const age = at.getTime() - merge.merged_at.getTime();
  if (!merge.before || age > mergeLimits.undoDays * 86_400_000) return { code: 'contact_merge_too_old' };
  const { rows: parts } = await client.query<Part>(
    'SELECT * FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id = $2 ORDER BY contact_id',
    [workspaceId, mergeId],
  );
  await lockChangedRecipients(client, merge);
  const [survivor] = await lockContacts(client, workspaceId, [merge.survivor_id]);
  if (!survivor) return explainMissing(client, workspaceId, merge.survivor_id);

  const fieldIds = new Set((await readCustomFields(client, workspaceId)).map(({ id }) => id));
  const read = (row: KeptRow) => toMergeable(row, fieldIds);
  const [after, now] = [read(merge.after), read(survivor)];
  const { fields, kept } = undoFields(read(merge.before), after, now);
  const refusal = await findObstacle(client, workspaceId, {
    secrets,
    parts,
    fields,
    survivorId: survivor.id,
  });
  if (refusal) return refusal;

  // Before the others come back, because a number belongs to one contact at a time.
  await writeSurvivor(client, { workspaceId, merge, fields, at });
  const isBlockedSince = now.status === 'blocked' && after.status === 'active';
  for (const part of parts) await restorePart(client, { workspaceId, merge, part, isBlockedSince, at });
  await partConsents(client, workspaceId, {
    survivorId: survivor.id,
    mergedAt: merge.merged_at,
    parts: parts.map(({ contact_id: contactId, contact }) => ({
      contactId,
      identifiers: identifiersOf(contact),
    })),
  });
  await recallWords(
    client,
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
  await restoreRecipients(client, merge);
  await restoreAliases(client, workspaceId, { mergeId, survivorId: survivor.id, parts });
  for (const contactId of [survivor.id, ...parts.map((part) => part.contact_id)])
    await refreshLastMessage(client, workspaceId, contactId);
  await client.query(
    `UPDATE contact_merges SET undone_at = $3, before = NULL, after = NULL, recipients = '[]', names = '{}'
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, mergeId, at],
  );
  await client.query('DELETE FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id = $2', [
    workspaceId,
    mergeId,
  ]);
  const contact = await findContact(client, workspaceId, survivor.id);
  return { contact: contact!, restored: parts.length, kept, isRepeat: false };
}

async function repeatAnswer(client: pg.PoolClient, workspaceId: string, survivorId: string) {
  const contact = await findContact(client, workspaceId, survivorId);
  if (!contact) return { code: 'contact_merge_not_found' } as const;
  return { contact, restored: 0, kept: [], isRepeat: true };
}

async function explainMissing(
  client: pg.PoolClient,
  workspaceId: string,
  survivorId: string,
): Promise<UndoRefusal> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.name FROM merged_contacts m JOIN contacts c ON c.id = m.survivor_id
      WHERE m.workspace_id = $1 AND m.contact_id = $2`,
    [workspaceId, survivorId],
  );
  return rows[0]
    ? { code: 'contact_merge_merged_again', name: rows[0].name }
    : { code: 'contact_merge_survivor_gone' };
}

type Obstacle = {
  secrets: UndoInput['secrets'];
  parts: readonly Part[];
  fields: UndoneFields;
  survivorId: string;
};

/** Why the contacts cannot come back: erased since, or a number that somebody else has by now. */
async function findObstacle(
  client: pg.PoolClient,
  workspaceId: string,
  { secrets, parts, fields, survivorId }: Obstacle,
): Promise<UndoRefusal | null> {
  const people = parts.flatMap(({ contact }) => identifiersOf(contact));
  const own = [fields.phone, fields.platformUserId].filter((identifier) => identifier !== null);
  await lockIdentifiers(client, workspaceId, [...people, ...own]);
  const asked = [...people, ...own].map((identifier) => ({ workspaceId, identifier }));
  if (asked.some(await findErased(client, secrets, asked))) return { code: 'contact_erased' };
  const { rows } = await client.query<{ name: string }>(
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

type Survivor = {
  workspaceId: string;
  merge: MergeRow;
  fields: UndoneFields;
  at: Date;
};

async function writeSurvivor(
  client: pg.PoolClient,
  { workspaceId, merge, fields, at }: Survivor,
): Promise<void> {
  const { survivor_id: id, before } = merge;
  await takeBackOptOut(client, {
    ...{ contactId: id, consentId: merge.consent_id },
    optedOutAt: before?.opted_out_at ? new Date(before.opted_out_at) : null,
  });
  await client.query(
    `UPDATE contacts SET name = $3, phone = $4, platform_user_id = $5, email = $6, tags = $7, status = $8,
            custom_values = $9, last_message = $10, last_message_at = $11, window_expires_at = $12, updated_at = $13,
            version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[workspaceId, id, fields.name, fields.phone, fields.platformUserId, fields.email, fields.tags],
      ...[fields.status, JSON.stringify(fields.customValues), before?.last_message, before?.last_message_at],
      ...[before?.window_expires_at, at],
    ],
  );
}

type Restored = {
  workspaceId: string;
  merge: MergeRow;
  part: Part;
  isBlockedSince: boolean;
  at: Date;
};

async function restorePart(
  client: pg.PoolClient,
  { workspaceId, merge, part, isBlockedSince, at }: Restored,
): Promise<void> {
  const { contact_id: id, contact } = part;
  const row = { ...contact, status: isBlockedSince ? 'blocked' : contact.status };
  await client.query(
    `INSERT INTO contacts (${storedColumns}) SELECT ${keptColumns} FROM jsonb_populate_record(NULL::contacts, $1)`,
    [JSON.stringify(row)],
  );
  // What arrived since from the number of this contact is its own, too.
  await client.query(
    `UPDATE messages SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = $3 AND (id = ANY ($4::uuid[])
        OR (received_at >= $5 AND $6 IN (payload->>'from', payload->>'to')))`,
    [workspaceId, id, merge.survivor_id, part.message_ids, merge.merged_at, contact.phone?.slice(1) ?? ''],
  );
  await client.query(
    'UPDATE contact_consents SET contact_id = $2 WHERE workspace_id = $1 AND id = ANY ($3::uuid[])',
    [workspaceId, id, part.consent_ids],
  );
  if (part.hold_until && part.hold_until > at)
    await client.query('INSERT INTO marketing_holds (workspace_id, contact_id, until) VALUES ($1, $2, $3)', [
      ...[workspaceId, id, part.hold_until],
    ]);
}

/** Message and window follow what is stored by now; the row says what was known before the merge. */
async function refreshLastMessage(
  client: pg.PoolClient,
  workspaceId: string,
  contactId: string,
): Promise<void> {
  await client.query(
    `UPDATE contacts c SET last_message = coalesce(m.text, '[deleted]'), last_message_at = m.occurred_at
       FROM (SELECT text, occurred_at FROM messages WHERE contact_id = $2 AND target_id IS NULL ORDER BY occurred_at DESC LIMIT 1) AS m
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.occurred_at > coalesce(c.last_message_at, '-infinity')`,
    [workspaceId, contactId],
  );
  await client.query(
    `UPDATE contacts c SET window_expires_at = m.until
       FROM (SELECT max(occurred_at) + interval '24 hours' AS until FROM messages WHERE contact_id = $2 AND direction = 'in'
                                   AND target_id IS NULL) AS m
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.until > coalesce(c.window_expires_at, '-infinity')`,
    [workspaceId, contactId],
  );
}

async function lockChangedRecipients(client: pg.PoolClient, { recipients }: MergeRow): Promise<void> {
  for (const [runNo, seq] of inOrder(recipients))
    await client.query('SELECT FROM delivery_recipients WHERE run_no = $1 AND seq = $2 FOR UPDATE', [
      runNo,
      seq,
    ]);
}

/** A recipient that was given to somebody else since, or erased, stays where it is. */
async function restoreRecipients(client: pg.PoolClient, { recipients }: MergeRow): Promise<void> {
  for (const [runNo, seq, before, after] of inOrder(recipients))
    await client.query(
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
async function restoreAliases(
  client: pg.PoolClient,
  workspaceId: string,
  { mergeId, survivorId, parts }: Aliases,
): Promise<void> {
  for (const table of ['contact_aliases', 'merged_contacts'])
    await client.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND merge_id = $2`, [
      workspaceId,
      mergeId,
    ]);
  for (const part of parts) {
    await client.query(
      `UPDATE contact_aliases SET contact_id = $2
        WHERE workspace_id = $1 AND contact_id = $3 AND identifier = ANY ($4::text[])`,
      [workspaceId, part.contact_id, survivorId, part.former_identifiers],
    );
    await client.query(
      `UPDATE merged_contacts SET survivor_id = $2
        WHERE workspace_id = $1 AND survivor_id = $3 AND contact_id = ANY ($4::uuid[])`,
      [workspaceId, part.contact_id, survivorId, part.former_ids],
    );
  }
}
