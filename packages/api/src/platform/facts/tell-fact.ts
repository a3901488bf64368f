import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { actorOf, personOf, type Caller } from '@app/domain/auth/caller';
import { readDefinition, type NewFact } from '@app/domain/events/fact-catalogue';
import { findWrongValue } from '@app/domain/events/fact-values';
import type { Origin } from '../origin.ts';

/** What led to a fact: another one, or the run of an automation or bot. */
export type Cause = { kind: 'fact' | 'run'; id: string; depth: number };

/** Facts that lead to facts that lead to facts: at some point it is a circle. */
const MOST_DEPTH = 16;

export type Telling = { caller: Caller; origin: Origin | null; cause: Cause | null; at: Date };

/** Writes the fact and its entry in the audit log, in the transaction of the change. */
export async function tellFact(
  client: SqlQueries,
  { caller, origin, cause, at }: Telling,
  { type, subject, values }: NewFact,
): Promise<void> {
  const definition = readDefinition(type);
  const wrong = findWrongValue(definition.values, values);
  if (wrong !== undefined) throw new Error(`The fact ${type} does not tell a right ${wrong}.`);
  const depth = cause ? cause.depth + 1 : 0;
  if (depth > MOST_DEPTH) throw new Error(`The fact ${type} follows from too many others.`);
  const actor = actorOf(caller);
  const { audit } = definition;
  await client.query(
    `WITH told AS (
       INSERT INTO events (workspace_id, type, version, subject_kind, subject_id, actor, "values", occurred_at, cause, depth)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10))
     INSERT INTO activities (id, workspace_id, user_id, user_name, type, resource, fact_type, "values", subject_id,
                             ip_address, user_agent, occurred_at)
     SELECT $11::uuid, $1, $12, $13, $14, $15, $2, $7, $5, $16, $17, $8 WHERE $14::text IS NOT NULL`,
    [
      ...[caller.workspaceId, type, definition.version, definition.subject, subject],
      ...[JSON.stringify(actor), JSON.stringify(values), at],
      ...[cause && JSON.stringify({ kind: cause.kind, id: cause.id }), depth],
      ...[newId(), personOf(caller), nameInLog(caller)],
      ...[audit?.type ?? null, audit?.resource ?? null],
      ...[origin?.ipAddress ?? null, origin?.userAgent ?? null],
    ],
  );
}

/** A part of the product stands there under its own name, as people do. */
function nameInLog(caller: Caller): string {
  if (caller.kind !== 'system') return caller.name;
  return `${caller.part[0]!.toUpperCase()}${caller.part.slice(1)}`; // no part has an empty name
}
