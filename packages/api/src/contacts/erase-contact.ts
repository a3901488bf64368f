import { containsPattern, escapeLike } from '@app/database/contains-pattern';
import { eraseFactsAbout } from '../platform/facts/erase-facts.ts';
import { lockIdentifiers, rememberErased, type Fingerprints } from '../platform/erased-people.ts';
import { forgetAnswersAbout } from '../platform/idempotency.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type Person = { name: string; phone: string | null; userId: string | null };
/** A contact with those that were merged into it, by all their ids. */
type Everything = { ids: string[]; people: Person[] };

/** Stands where the name or number of an erased person stood. */
const ERASED = '(erased)';

/**
 * Takes everything out of the database that tells who a contact was, and keeps keyed hashes so that the person does not
 * come back. What was sent stays counted, to nobody. False when there is no such contact.
 */
export async function eraseContact(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  contactId: string,
): Promise<boolean> {
  const { workspaceId } = scope;
  const found = await findEverything(scope, contactId);
  if (!found) return false;
  const { people } = found;
  const identifiers = [
    ...new Set(people.flatMap(({ phone, userId }) => [phone, userId]).filter((one) => one !== null)),
  ];
  await lockIdentifiers(scope, workspaceId, identifiers);
  await rememberErased(scope, secrets, { workspaceId, identifiers });
  // Messages, consents and holds go with the contact.
  await scope.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = $2', [workspaceId, contactId]);
  await eraseMerges(scope, found);
  const ids = new Set(found.ids);
  for (const id of found.ids)
    for (const person of people) {
      for (const earlier of await eraseKeptCopies(scope, id, person)) ids.add(earlier);
      for (const earlier of await eraseRecipients(scope, id, person)) ids.add(earlier);
    }
  for (const person of people) {
    await erasePlatformEvents(scope, person);
    await eraseActivities(scope, ids, person);
  }
  await eraseFactsAbout(scope, 'contact', [...ids]);
  await forgetAnswersAbout(scope, [...ids, ...identifiers]);
  return true;
}

/** Whoever was merged into the contact is the same person, with names and numbers that are kept for the undo of merges. */
async function findEverything(scope: ReadScope, contactId: string): Promise<Everything | null> {
  const { workspaceId } = scope;
  const { rows: found } = await scope.query<Person>(
    'SELECT name, phone, platform_user_id AS "userId" FROM contacts WHERE workspace_id = $1 AND id = $2',
    [workspaceId, contactId],
  );
  const [contact] = found;
  if (!contact) return null;
  const { rows: merged } = await scope.query<{ contact_id: string }>(
    'SELECT contact_id FROM merged_contacts WHERE workspace_id = $1 AND survivor_id = $2',
    [workspaceId, contactId],
  );
  const ids = [contactId, ...merged.map((row) => row.contact_id)];
  const { rows: kept } = await scope.query<Person>(
    `SELECT k.row->>'name' AS name, k.row->>'phone' AS phone, k.row->>'platform_user_id' AS "userId" FROM (
       SELECT contact AS row FROM contact_merge_parts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])
       UNION ALL SELECT before FROM contact_merges WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[]) AND before IS NOT NULL
       UNION ALL SELECT jsonb_build_object('name', name) FROM contact_merges, unnest(names) AS name
                  WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[])
       UNION ALL SELECT CASE WHEN starts_with(identifier, '+') THEN jsonb_build_object('phone', identifier)
                             ELSE jsonb_build_object('platform_user_id', identifier) END
                   FROM contact_aliases WHERE workspace_id = $1 AND contact_id = $3) AS k`,
    [workspaceId, ids, contactId],
  );
  const known = new Map([contact, ...kept].map((person) => [JSON.stringify(person), person]));
  return {
    ids,
    people: [...known.values()].map((person) => ({ ...person, name: person.name ?? contact.name })),
  };
}

/** Also of merges that took in an earlier contact with one of the numbers: they cannot be undone any more. */
async function eraseMerges(scope: WorkspaceScope, { ids, people }: Everything): Promise<void> {
  await scope.query('DELETE FROM contact_merges WHERE workspace_id = $1 AND survivor_id = ANY ($2::uuid[])', [
    scope.workspaceId,
    ids,
  ]);
  await scope.query('DELETE FROM merged_contacts WHERE workspace_id = $1 AND survivor_id = $2', [
    scope.workspaceId,
    ids[0],
  ]);
  const numbers = people.flatMap(({ phone, userId }) => [phone, userId]).filter((one) => one !== null);
  await scope.query(
    'DELETE FROM contact_aliases WHERE workspace_id = $1 AND (contact_id = $2 OR identifier = ANY ($3::text[]))',
    [scope.workspaceId, ids[0], numbers],
  );
  await scope.query(
    `WITH concerned AS (
       SELECT merge_id AS id FROM contact_merge_parts WHERE workspace_id = $1 AND contact->>'phone' = ANY ($2::text[])
       UNION SELECT id FROM contact_merges WHERE workspace_id = $1 AND before->>'phone' = ANY ($2::text[])),
     parts AS (DELETE FROM contact_merge_parts WHERE workspace_id = $1 AND merge_id IN (SELECT id FROM concerned))
     UPDATE contact_merges SET before = NULL, after = NULL, names = '{}' WHERE workspace_id = $1 AND id IN (SELECT id FROM concerned)`,
    [scope.workspaceId, numbers],
  );
}

/** Answers with the ids under which the person was deleted a short while ago. */
async function eraseKeptCopies(
  scope: WorkspaceScope,
  contactId: string,
  { phone, userId }: Person,
): Promise<string[]> {
  const { rows } = await scope.query<{ contact_id: string }>(
    `DELETE FROM deleted_contacts WHERE workspace_id = $1
        AND (contact_id = $2 OR contact->>'phone' = $3 OR contact->>'platform_user_id' = $4) RETURNING contact_id`,
    [scope.workspaceId, contactId, phone, userId],
  );
  await scope.query('DELETE FROM contact_import_changes WHERE workspace_id = $1 AND contact_id = $2', [
    scope.workspaceId,
    contactId,
  ]);
  const earlierIds = rows.map(({ contact_id }) => contact_id);
  if (phone === null) return earlierIds;
  // The sentence has the number as the file had it, with whatever stood between the digits.
  await scope.query(
    `UPDATE contact_import_errors SET message = 'Row ' || row_number || ': ${ERASED}', phone = NULL, source = NULL
      WHERE workspace_id = $1
        AND (phone = $3 OR translate(message || coalesce(source, ''), ' ()-./+', '') LIKE '%' || $2 || '%')`,
    [scope.workspaceId, digitsOf(phone), phone],
  );
  return earlierIds;
}

/**
 * The rows stay for the counters, under a contact that does not exist: a sender that finds one still waiting leaves it
 * out as deleted. The platform's message id holds the number in disguise; a later status must not bring it back.
 * Answers with earlier ids of the person.
 */
async function eraseRecipients(
  scope: WorkspaceScope,
  contactId: string,
  { phone }: Person,
): Promise<string[]> {
  const blank = `contact_id = gen_random_uuid(), address = '', error_detail = NULL,
    provider_message_id = CASE WHEN provider_message_id IS NOT NULL THEN 'erased' END`;
  await scope.query(`UPDATE delivery_recipients SET ${blank} WHERE workspace_id = $1 AND contact_id = $2`, [
    scope.workspaceId,
    contactId,
  ]);
  if (phone === null) return [];
  // What was sent to this number under an earlier contact, which was deleted since.
  const { rows } = await scope.query<{ run_no: string; seq: number; contact_id: string | null }>(
    'SELECT run_no, seq, contact_id FROM delivery_recipients WHERE workspace_id = $1 AND address = $2',
    [scope.workspaceId, phone],
  );
  for (const { run_no: runNo, seq } of rows)
    await scope.query(`UPDATE delivery_recipients SET ${blank} WHERE run_no = $1 AND seq = $2`, [runNo, seq]);
  return rows.flatMap(({ contact_id: earlierId }) => earlierId ?? []);
}

async function erasePlatformEvents(scope: WorkspaceScope, { phone, userId }: Person): Promise<void> {
  const marks = [phone && digitsOf(phone), userId].filter((mark) => mark !== null);
  await scope.query(
    `DELETE FROM platform_events WHERE workspace_id = $1 AND (payload::text || ' ' || dedup_key) LIKE ANY ($2)`,
    [scope.workspaceId, marks.map(containsPattern)],
  );
}

/** Entries say what was done, not any more with whom; older ones that only have the name are found by it. */
async function eraseActivities(
  scope: WorkspaceScope,
  contactIds: Iterable<string>,
  { name, phone }: Person,
): Promise<void> {
  for (const contactId of contactIds) await eraseActivitiesOf(scope, contactId);
  await scope.query(
    `UPDATE activities SET description = replace(description, $2, '${ERASED}')
      WHERE workspace_id = $1 AND resource = 'contacts' AND search_text LIKE lower($3)
        AND (description LIKE '%contact ' || $4 OR description LIKE 'Recorded an opt-% of ' || $4)`,
    [scope.workspaceId, name, containsPattern(name), escapeLike(name)],
  );
  if (phone === null) return;
  await scope.query(
    `UPDATE activities SET description = replace(description, $2, '${ERASED}') WHERE workspace_id = $1 AND search_text LIKE $3`,
    [scope.workspaceId, phone, containsPattern(phone)],
  );
}

async function eraseActivitiesOf(scope: WorkspaceScope, contactId: string) {
  await scope.query(
    `UPDATE activities SET description = regexp_replace(description, '^(\\w+ contact|Recorded an opt-\\w+ of) .*$', '\\1 ${ERASED}'),
            metadata = metadata - 'contactId' - 'mergedIds'
      WHERE workspace_id = $1 AND (metadata @> $2 OR metadata @> $3)`,
    [scope.workspaceId, JSON.stringify({ contactId }), JSON.stringify({ mergedIds: [contactId] })],
  );
}

function digitsOf(phone: string): string {
  return phone.replace('+', '');
}
