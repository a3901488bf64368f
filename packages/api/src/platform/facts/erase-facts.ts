import { factsListing, personalValues, typesNamingOthers } from '@app/domain/events/fact-catalogue';
import type { SubjectKind } from '@app/domain/events/fact-definition';
import type { WorkspaceScope } from '../workspace-scope.ts';

/**
 * Takes out of every fact about these subjects, also of those that name one of them among others, and out of its entry in the
 * log, what tells who they are; that it happened stays. Out of lists go they alone. What that is says the catalogue: nothing is
 * searched for.
 */
export async function eraseFactsAbout(
  scope: WorkspaceScope,
  kind: SubjectKind,
  subjectIds: readonly string[],
): Promise<void> {
  const given = [scope.workspaceId, kind, subjectIds, personalValues(kind), typesNamingOthers(kind)];
  await scope.query(
    `UPDATE events SET "values" = "values" - $4::text[], subject_id = NULL
      WHERE workspace_id = $1 AND subject_kind = $2
        AND (subject_id = ANY ($3::uuid[]) OR type = ANY ($5::text[]) AND "values"->'otherIds' ?| $3::text[])`,
    given,
  );
  await scope.query(
    `UPDATE fact_dead_letters SET subject_id = NULL,
            fact = fact || jsonb_build_object('subject', NULL, 'values', (fact->'values') - $4::text[])
      WHERE workspace_id = $1 AND subject_kind = $2
        AND (subject_id = ANY ($3::uuid[]) OR type = ANY ($5::text[]) AND fact->'values'->'otherIds' ?| $3::text[])`,
    given,
  );
  await eraseFromLists(scope, kind, subjectIds);
  // Ids are never given twice, so that those of one kind are those of no other.
  await scope.query(
    `UPDATE activities SET "values" = "values" - $3::text[], subject_id = NULL
      WHERE workspace_id = $1
        AND (subject_id = ANY ($2::uuid[]) OR fact_type = ANY ($4::text[]) AND "values"->'otherIds' ?| $2::text[])`,
    [scope.workspaceId, subjectIds, personalValues(kind), typesNamingOthers(kind)],
  );
}

async function eraseFromLists(
  scope: WorkspaceScope,
  kind: SubjectKind,
  subjectIds: readonly string[],
): Promise<void> {
  const { types, names } = factsListing(kind);
  const without = (values: string) =>
    `(SELECT jsonb_object_agg(name, CASE WHEN name = ANY ($4::text[]) THEN list - $3::text[] ELSE list END) FROM jsonb_each(${values}) AS given (name, list))`;
  const holds = (values: string) =>
    `EXISTS (SELECT FROM unnest($4::text[]) AS name WHERE ${values}->name ?| $3::text[])`;
  const given = [scope.workspaceId, types, subjectIds, names];
  await scope.query(
    `UPDATE events SET "values" = ${without('"values"')}
      WHERE workspace_id = $1 AND type = ANY ($2::text[]) AND ${holds('"values"')}`,
    given,
  );
  await scope.query(
    `UPDATE fact_dead_letters SET fact = jsonb_set(fact, '{values}', ${without(`fact->'values'`)})
      WHERE workspace_id = $1 AND type = ANY ($2::text[]) AND ${holds(`fact->'values'`)}`,
    given,
  );
}
