import { containsPattern, escapeLike } from '@app/database/contains-pattern';
import { eraseFactsAbout } from '../facts/erase-facts.ts';
import { deleteAnswersAbout } from '../idempotency.ts';
import { deleteFilesOfPeople } from '../operations/delete-files.ts';
import { ERASED, phonesOf, type Person, type PersonData } from '../person-data/person-data.ts';
import { readByTime } from '../person-data/read-section.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

const KEYED = 'numbers as keyed hashes, which nobody can read back';

export const platformPersonData: PersonData = {
  tables: {
    activities: {
      section: 'activityLog',
      read: readByTime(
        `SELECT occurred_at AS at, id, occurred_at AS "occurredAt", type, coalesce(fact_type, description) AS "whatHappened",
                "values", user_name AS "doneBy"
           FROM activities WHERE workspace_id = $1 AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
            AND (subject_id = ANY ($2::uuid[]) OR "values"->'otherIds' ?| $2::text[]
              OR metadata->>'contactId' = ANY ($2::text[]))
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
    activity_subjects: { leftOut: 'by which conversations an entry of the activity log is found' },
    events: { leftOut: 'the same as the activity log, kept for a month for those who follow it' },
    fact_dead_letters: { leftOut: 'the same, of which somebody who follows it failed' },
    idempotency_keys: { leftOut: 'answers of the last two days, of values that the other sections have' },
    operations: { leftOut: 'what staff did and how far it is; whom it is about only while it goes on' },
    operation_parts: { leftOut: 'copies of what stands in the other sections, for a day at most' },
    suppression_list: { leftOut: KEYED },
    erased_people: { leftOut: KEYED },
  },
  erase,
  // Both name a contact by the id that it had.
  ...{ merge: null, unmerge: null },
};

/** Words that were kept under hashes go where erasing is remembered (`rememberErased`). */
async function erase(scope: WorkspaceScope, person: Person): Promise<void> {
  await eraseOlderEntries(scope, person);
  await eraseFactsAbout(scope, 'contact', person.ids);
  await deleteAnswersAbout(scope, [...person.ids, ...person.identifiers]);
  await deleteFilesOfPeople(scope);
}

/** Entries of before there were facts say what was done, not any more with whom; the oldest, which only have the name, are found by it. */
async function eraseOlderEntries(scope: WorkspaceScope, person: Person): Promise<void> {
  const { workspaceId } = scope;
  for (const contactId of person.ids)
    await scope.query(
      `UPDATE activities SET description = regexp_replace(description, '^(\\w+ contact|Recorded an opt-\\w+ of) .*$', '\\1 ${ERASED}'),
              metadata = metadata - 'contactId' - 'mergedIds'
        WHERE workspace_id = $1 AND (metadata @> $2 OR metadata @> $3)`,
      [workspaceId, JSON.stringify({ contactId }), JSON.stringify({ mergedIds: [contactId] })],
    );
  for (const name of person.names)
    await scope.query(
      `UPDATE activities SET description = replace(description, $2, '${ERASED}')
        WHERE workspace_id = $1 AND resource = 'contacts' AND search_text LIKE lower($3)
          AND (description LIKE '%contact ' || $4 OR description LIKE 'Recorded an opt-% of ' || $4)`,
      [workspaceId, name, containsPattern(name), escapeLike(name)],
    );
  for (const phone of phonesOf(person))
    await scope.query(
      `UPDATE activities SET description = replace(description, $2, '${ERASED}') WHERE workspace_id = $1 AND search_text LIKE $3`,
      [workspaceId, phone, containsPattern(phone)],
    );
}
