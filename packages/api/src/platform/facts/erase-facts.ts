import type { SqlQueries } from '@app/database/sql-queries';
import { personalValues } from '@app/domain/events/fact-catalogue';
import type { SubjectKind } from '@app/domain/events/fact-definition';

/**
 * Takes out of every fact about these subjects, and out of its entry in the log, what tells who they are; that it happened
 * stays. What that is says the catalogue: nothing is searched for.
 */
export async function eraseFactsAbout(
  client: SqlQueries,
  workspaceId: string,
  kind: SubjectKind,
  subjectIds: readonly string[],
): Promise<void> {
  const given = [workspaceId, kind, subjectIds, personalValues(kind)];
  await client.query(
    `UPDATE events SET "values" = "values" - $4::text[], subject_id = NULL
      WHERE workspace_id = $1 AND subject_kind = $2 AND subject_id = ANY ($3::uuid[])`,
    given,
  );
  await client.query(
    `UPDATE events_set_aside SET subject_id = NULL,
            fact = fact || jsonb_build_object('subject', NULL, 'values', (fact->'values') - $4::text[])
      WHERE workspace_id = $1 AND subject_kind = $2 AND subject_id = ANY ($3::uuid[])`,
    given,
  );
  // Ids are never given twice, so that those of one kind are those of no other.
  await client.query(
    `UPDATE activities SET "values" = "values" - $3::text[], subject_id = NULL
      WHERE workspace_id = $1 AND fact_type IS NOT NULL AND subject_id = ANY ($2::uuid[])`,
    [workspaceId, subjectIds, personalValues(kind)],
  );
}
