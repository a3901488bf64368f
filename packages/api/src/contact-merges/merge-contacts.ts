import { shareOptOut } from '@app/database/contacts/record-consents';
import { ownContacts } from '@app/delivery/follow-merges';
import {
  assignRecipients,
  findOptOut,
  mergeContacts,
  type MergeableContact,
  type MergePicks,
  type RunRecipient,
} from '@app/domain/contact-merges/merge-rules';
import type pg from 'pg';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import { lockRecipients } from '../platform/lock-recipients.ts';
import { findContact, type Contact } from '../contacts/contacts-queries.ts';
import { asDate, identifiersOf, lockContacts, toMergeable, type KeptRow } from './mergeable-rows.ts';

export type MergeInput = {
  mergeId: string;
  survivorId: string;
  contacts: readonly { contactId: string; version: number }[];
  picks: MergePicks['fields'];
  /** By the keys of the fields. */
  customPicks: Readonly<Record<string, string>>;
  userName: string;
  at: Date;
};

export type MergeOutcome = { contact: Contact; names: string[]; isRepeat: boolean };

/**
 * Makes one contact of several, in the caller's transaction. Conversation, consents and campaign results follow to the
 * survivor; the others are kept for an undo. See docs/decisions/014-merging-contacts.md.
 */
export async function mergeIntoOne(
  client: pg.PoolClient,
  workspaceId: string,
  input: MergeInput,
): Promise<MergeOutcome | 'contact_not_found' | 'contact_changed' | 'contact_merge_not_found'> {
  const { survivorId, contacts: named } = input;
  if (!named.some(({ contactId }) => contactId === survivorId)) return 'contact_not_found';
  await ownContacts(client, workspaceId);
  const earlier = await findEarlier(client, workspaceId, input);
  if (earlier) return earlier;
  const ids = named.map(({ contactId }) => contactId);
  const recipients = await lockRecipients(client, workspaceId, ids);
  const rows = await lockContacts(client, workspaceId, ids);
  if (rows.length !== ids.length) return 'contact_not_found';
  const versions = new Map(named.map(({ contactId, version }) => [contactId, version]));
  if (rows.some(({ id, version }) => versions.get(id) !== version)) return 'contact_changed';

  const survivor = rows.find(({ id }) => id === survivorId)!; // it is among the named ones
  const others = ids.flatMap((id) => rows.find((row) => row.id === id && id !== survivorId) ?? []);
  const fields = await readCustomFields(client, workspaceId);
  const fieldIds = new Set(fields.map(({ id }) => id));
  const custom = Object.fromEntries(
    fields.flatMap(({ id, key }) => (input.customPicks[key] ? [[id, input.customPicks[key]]] : [])),
  );
  const people = [
    toMergeable(survivor, fieldIds),
    ...others.map((row) => toMergeable(row, fieldIds)),
  ] as const;
  const merged = mergeContacts([...people], { fields: input.picks, custom });

  const changes = await moveRecipients(client, recipients, survivorId, others[0]!.id);
  const consentId = await recordOptOut(client, workspaceId, people, input);
  await keepMerge(client, workspaceId, { input, survivor, others, changes, consentId });
  await moveBelongings(client, workspaceId, survivorId, others);
  await writeSurvivor(client, workspaceId, merged, input.at);
  await rememberAliases(client, workspaceId, { input, rows, merged });
  const contact = await findContact(client, workspaceId, survivorId);
  return { contact: contact!, names: others.map(({ name }) => name), isRepeat: false };
}

async function findEarlier(client: pg.PoolClient, workspaceId: string, { mergeId }: MergeInput) {
  const { rows } = await client.query<{ survivor_id: string; names: string[] }>(
    'SELECT survivor_id, names FROM contact_merges WHERE workspace_id = $1 AND id = $2',
    [workspaceId, mergeId],
  );
  if (!rows[0]) return null;
  const contact = await findContact(client, workspaceId, rows[0].survivor_id);
  return contact ? { contact, names: rows[0].names, isRepeat: true } : 'contact_merge_not_found';
}

type RecipientChange = [runNo: string, seq: number, before: string, after: string];

async function moveRecipients(
  client: pg.PoolClient,
  recipients: readonly RunRecipient[],
  survivorId: string,
  goneId: string,
): Promise<RecipientChange[]> {
  const before = new Map(recipients.map(({ runNo, seq, contactId }) => [`${runNo} ${seq}`, contactId]));
  const changes = assignRecipients(recipients, survivorId, goneId);
  // Row by row, because each run and number names its partition; a person has few.
  for (const { runNo, seq, contactId } of changes)
    await client.query('UPDATE delivery_recipients SET contact_id = $3 WHERE run_no = $1 AND seq = $2', [
      runNo,
      seq,
      contactId,
    ]);
  return changes.map(({ runNo, seq, contactId }) => [runNo, seq, before.get(`${runNo} ${seq}`)!, contactId]);
}

/**
 * The newest record of consent decides, so an opt-out that holds for all is recorded anew when it does not hold for each already. Where all
 * opted out, or nobody, the survivor's own consent stays.
 */
async function recordOptOut(
  client: pg.PoolClient,
  workspaceId: string,
  people: readonly MergeableContact[],
  { survivorId, userName, at }: MergeInput,
): Promise<string | null> {
  const optedOut = findOptOut(people);
  if (!optedOut || people.every(({ optedOutAt }) => optedOutAt !== null)) return null;
  return shareOptOut(
    client,
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
  changes: readonly RecipientChange[];
  consentId: string | null;
};

async function keepMerge(
  client: pg.PoolClient,
  workspaceId: string,
  { input: { mergeId, userName, at }, survivor, others, changes, consentId }: Kept,
): Promise<void> {
  await client.query(
    `INSERT INTO contact_merges (id, workspace_id, survivor_id, user_name, names, before, recipients, consent_id, merged_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[mergeId, workspaceId, survivor.id, userName, others.map(({ name }) => name)],
      ...[JSON.stringify(survivor), JSON.stringify(changes), consentId, at],
    ],
  );
  for (const row of others)
    await client.query(
      `INSERT INTO contact_merge_parts (workspace_id, merge_id, contact_id, contact, message_ids, consent_ids,
                                        former_ids, former_identifiers, hold_until)
       SELECT $1, $2, $3, $4,
              ARRAY(SELECT id FROM messages WHERE contact_id = $3), ARRAY(SELECT id FROM contact_consents WHERE contact_id = $3),
              ARRAY(SELECT contact_id FROM merged_contacts WHERE survivor_id = $3),
              ARRAY(SELECT identifier FROM contact_aliases WHERE contact_id = $3),
              (SELECT until FROM marketing_holds WHERE contact_id = $3)`,
      [workspaceId, mergeId, row.id, JSON.stringify(row)],
    );
}

async function moveBelongings(
  client: pg.PoolClient,
  workspaceId: string,
  survivorId: string,
  others: readonly KeptRow[],
): Promise<void> {
  const ids = others.map(({ id }) => id);
  for (const table of ['messages', 'contact_consents', 'contact_aliases'])
    await client.query(
      `UPDATE ${table} SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])`,
      [workspaceId, survivorId, ids],
    );
  await client.query(
    'UPDATE merged_contacts SET survivor_id = $2 WHERE workspace_id = $1 AND survivor_id = ANY ($3::uuid[])',
    [workspaceId, survivorId, ids],
  );
  await client.query(
    `INSERT INTO marketing_holds (workspace_id, contact_id, until)
     SELECT $1, $2, max(until) FROM marketing_holds WHERE contact_id = ANY ($3::uuid[]) HAVING max(until) IS NOT NULL
     ON CONFLICT (contact_id) DO UPDATE SET until = greatest(marketing_holds.until, excluded.until)`,
    [workspaceId, survivorId, ids],
  );
  await client.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
    workspaceId,
    ids,
  ]);
}

async function writeSurvivor(
  client: pg.PoolClient,
  workspaceId: string,
  merged: MergeableContact,
  at: Date,
): Promise<void> {
  await client.query(
    `UPDATE contacts SET name = $3, phone = $4, platform_user_id = $5, email = $6, tags = $7, status = $8,
            last_message = $9, last_message_at = $10, window_expires_at = $11, custom_values = $12, updated_at = $13,
            version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[workspaceId, merged.id, merged.name, merged.phone, merged.platformUserId, merged.email],
      ...[merged.tags, merged.status, merged.lastMessage],
      ...[asDate(merged.lastMessageAt), asDate(merged.windowExpiresAt)],
      ...[JSON.stringify(merged.customValues), at],
    ],
  );
}

type Remembered = { input: MergeInput; rows: readonly KeptRow[]; merged: MergeableContact };

/** Whoever writes from a number that did not stay is still this person; audiences that name an old id mean the survivor. */
async function rememberAliases(
  client: pg.PoolClient,
  workspaceId: string,
  { input: { mergeId, survivorId }, rows, merged }: Remembered,
): Promise<void> {
  const identifiers = rows
    .flatMap(identifiersOf)
    .filter((identifier) => identifier !== merged.phone && identifier !== merged.platformUserId);
  await client.query(
    `INSERT INTO contact_aliases (workspace_id, identifier, contact_id, merge_id)
     SELECT $1, identifier, $2, $3 FROM unnest($4::text[]) AS identifier
     ON CONFLICT (workspace_id, identifier) DO UPDATE SET contact_id = excluded.contact_id, merge_id = excluded.merge_id, until = NULL`,
    [workspaceId, survivorId, mergeId, identifiers],
  );
  await client.query(
    `INSERT INTO merged_contacts (contact_id, workspace_id, survivor_id, merge_id)
     SELECT id, $1, $2, $3 FROM unnest($4::uuid[]) AS id ON CONFLICT (contact_id) DO UPDATE
        SET survivor_id = excluded.survivor_id, merge_id = excluded.merge_id`,
    [workspaceId, survivorId, mergeId, rows.map(({ id }) => id).filter((id) => id !== survivorId)],
  );
  await client.query(
    `UPDATE contact_merges SET after = (SELECT to_jsonb(c) - 'search_text' FROM contacts c WHERE c.id = $3)
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, mergeId, survivorId],
  );
}
