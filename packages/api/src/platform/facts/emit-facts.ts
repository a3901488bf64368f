import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { actorOf, personOf, systemParts, type Caller } from '@app/domain/auth/caller';
import { depthAfter, type Cause } from '@app/domain/events/fact-cause';
import { readDefinition, type NewFact } from '@app/domain/events/fact-catalogue';
import { findWrongValue } from '@app/domain/events/fact-values';
import { storableEscapes } from '@app/domain/text/storable-text';
import type { Origin } from '../origin.ts';

export type Emitting = { caller: Caller; origin: Origin | null; cause: Cause | null; at: Date };

/**
 * Writes the fact and its entry in the audit log, in the transaction of the change. However long the chain that led to it, it is stored:
 * those that would start something by it look at its depth (`isAtDepthLimit`).
 * @throws when a value is not of the shape that the catalogue names
 */
export async function emitFact(client: SqlQueries, emitting: Emitting, fact: NewFact): Promise<void> {
  await emitFacts(client, emitting, [fact]);
}

/** The same for many at once, in their order and in one statement. */
export async function emitFacts(
  client: SqlQueries,
  { caller, origin, cause, at }: Emitting,
  facts: readonly NewFact[],
): Promise<void> {
  if (facts.length === 0) return;
  const depth = depthAfter(cause);
  const rows = facts.map(({ type, subject, values }) => {
    const definition = readDefinition(type);
    const wrong = findWrongValue(definition.values, values);
    if (wrong !== undefined) throw new Error(`The fact ${type} does not tell a right ${wrong}.`);
    const { audit, version, subject: subjectKind, notInLog = [] } = definition;
    return {
      ...{ type, version, subjectKind, subject, values, entryId: newId() },
      logged: Object.fromEntries(Object.entries(values).filter(([name]) => !notInLog.includes(name))),
      ...{ auditType: audit?.type ?? null, auditResource: audit?.resource ?? null },
    };
  });
  await client.query({
    name: 'facts_emit',
    text: `WITH given AS (
       SELECT * FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (type text, version smallint, "subjectKind" text, subject uuid, "values" jsonb, logged jsonb,
           "entryId" uuid, "auditType" text, "auditResource" text)) WITH ORDINALITY
     ), told AS (
       INSERT INTO events (workspace_id, type, version, subject_kind, subject_id, actor, "values", occurred_at, cause, depth)
       SELECT $2, type, version, "subjectKind", subject, $3, "values", $4, $5, $6 FROM given ORDER BY ordinality)
     INSERT INTO activities (id, workspace_id, user_id, user_name, type, resource, fact_type, "values", subject_id,
                             ip_address, user_agent, occurred_at)
     SELECT "entryId", $2, $7, $8, "auditType", "auditResource", type, logged, subject, $9, $10, $4 FROM given WHERE "auditType" IS NOT NULL`,
    values: [
      ...[storableEscapes(JSON.stringify(rows)), caller.workspaceId, JSON.stringify(actorOf(caller)), at],
      ...[cause && JSON.stringify({ kind: cause.kind, id: cause.id }), depth],
      ...[personOf(caller), nameInLog(caller)],
      ...[origin?.ipAddress ?? null, origin?.userAgent ?? null],
    ],
  });
  const about = rows.flatMap(({ type, values, entryId, auditType }) => {
    const { subjects } = readDefinition(type);
    const many = auditType === null || subjects === undefined ? [] : Object.entries(values);
    return many.flatMap(([name, ids]) =>
      name === subjects && Array.isArray(ids) ? ids.map((id) => ({ id, entryId })) : [],
    );
  });
  if (about.length > 0)
    await client.query(
      `INSERT INTO activity_subjects (workspace_id, subject_id, activity_id, occurred_at)
       SELECT DISTINCT $1::uuid, a.id, a."entryId", $3::timestamptz FROM jsonb_to_recordset($2::jsonb) AS a (id uuid, "entryId" uuid)`,
      [caller.workspaceId, JSON.stringify(about), at],
    );
}

/** A part of the product stands there under its own name, as people do. */
function nameInLog(caller: Caller): string {
  return caller.kind === 'system' ? nameOfPart(caller.part) : caller.name;
}

function nameOfPart(part: string): string {
  return `${part[0]!.toUpperCase()}${part.slice(1)}`; // no part has an empty name
}

const namesOfParts = new Set(Object.keys(systemParts).map(nameOfPart));

/** Whether an entry says that the product did it by itself. */
export function isByProduct({ userId, userName }: { userId: string | null; userName: string }): boolean {
  return userId === null && namesOfParts.has(userName);
}
