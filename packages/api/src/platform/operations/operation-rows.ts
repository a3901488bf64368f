import { actorOf, personOf, systemCaller, type Caller, type SystemPart } from '@app/domain/auth/caller';
import type { OperationKindName } from '@app/domain/operations/operation-kinds';
import { readCause, type Cause } from '@app/domain/events/fact-cause';
import { overStates, statesBefore, type OperationState } from '@app/domain/operations/operation-state';
import type { SqlQueries } from '@app/database/sql-queries';
import type { Origin } from '../origin.ts';
import type { ReadScope, WorkspaceScope } from '../workspace-scope.ts';
import { operationColumns, type OperationRow } from './present-operation.ts';
import { publishProgress, type ProgressParts } from './publish-progress.ts';

export type JsonObject = Record<string, unknown>;

/** An act with what goes on in it. */
export type StoredOperation = OperationRow & {
  workspace_id: string;
  run: number;
  wish: JsonObject;
  resume: JsonObject;
  caller: JsonObject | null;
  origin: Origin | null;
  failures: number;
};

const storedColumns = `${operationColumns}, workspace_id, run, wish, resume, caller, origin, failures`;
const OVER = overStates.map((state) => `'${state}'`).join(', ');

export type NewOperation = {
  id: string;
  kind: OperationKindName;
  subject?: string;
  name?: string;
  phase?: string;
  total?: number | null;
  wish: JsonObject;
};

/** Keeps the wish alone; nothing is done yet. The same id again changes nothing and answers false. */
export async function beginOperation(
  scope: WorkspaceScope,
  parts: ProgressParts & { origin: Origin | null },
  { id, kind, subject, name = '', phase, total = null, wish }: NewOperation,
): Promise<boolean> {
  const { workspaceId } = scope;
  const { rowCount } = await scope.query(
    `INSERT INTO operations (id, workspace_id, kind, subject, name, phase, total, wish, caller, origin, user_id, user_name,
                            created_at, heartbeat_at, phase_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $13) ON CONFLICT DO NOTHING`,
    [
      ...[id, workspaceId, kind, subject ?? null, name, phase ?? null, total, JSON.stringify(wish)],
      ...[JSON.stringify(keepCaller(scope)), parts.origin && JSON.stringify(parts.origin)],
      ...[personOf(scope.caller), actorOf(scope.caller).name, scope.clock()],
    ],
  );
  if (rowCount === 1) await publishProgress(scope, parts, id);
  return rowCount === 1;
}

/** An act that failed left nothing: it begins anew under its id, with another wish. False for every other one. */
export async function beginAnew(
  scope: WorkspaceScope,
  parts: ProgressParts & { origin: Origin | null },
  { id, kind, name = '', phase, total = null, wish }: NewOperation,
): Promise<boolean> {
  const { workspaceId } = scope;
  const { rowCount } = await scope.query(
    `UPDATE operations SET state = 'queued', name = $4, phase = $5, total = $6, wish = $7, caller = $8, origin = $9, user_id = $10,
            user_name = $11, created_at = $12, heartbeat_at = $12, phase_at = $12, done = 0, phase_done = 0, resume = '{}', result = '{}',
            error_code = NULL, error_values = '{}', started_at = NULL, ended_at = NULL, dismissed_at = NULL, interruptions = 0,
            failures = 0, run = run + 1
      WHERE workspace_id = $1 AND id = $2 AND kind = $3 AND state = ANY ($13)`,
    [
      ...[workspaceId, id, kind, name, phase ?? null, total, JSON.stringify(wish)],
      ...[JSON.stringify(keepCaller(scope)), parts.origin && JSON.stringify(parts.origin)],
      ...[personOf(scope.caller), actorOf(scope.caller).name, scope.clock(), statesBefore('queued')],
    ],
  );
  if (rowCount === 1) await publishProgress(scope, parts, id);
  return rowCount === 1;
}

export async function findOperation(scope: ReadScope, id: string): Promise<StoredOperation | null> {
  const { rows } = await scope.query<StoredOperation>(
    `SELECT ${storedColumns} FROM operations WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id],
  );
  return rows[0] ?? null;
}

/** All of a kind that are not over, whoever began them. */
export async function findOpenOperations(
  scope: ReadScope,
  kind: OperationKindName,
): Promise<StoredOperation[]> {
  const { rows } = await scope.query<StoredOperation>(
    `SELECT ${storedColumns} FROM operations WHERE workspace_id = $1 AND kind = $2 AND state NOT IN (${OVER}) ORDER BY id`,
    [scope.workspaceId, kind],
  );
  return rows;
}

/** Until the end of the transaction nobody else moves it on. With a run: null for what is not this run's any more, or is over. */
export async function lockOperation(
  scope: ReadScope,
  id: string,
  run?: number,
): Promise<StoredOperation | null> {
  const { rows } = await scope.query<StoredOperation>(
    `SELECT ${storedColumns} FROM operations WHERE workspace_id = $1 AND id = $2
        AND ($3::int IS NULL OR (run = $3 AND state NOT IN (${OVER}))) FOR UPDATE`,
    [scope.workspaceId, id, run ?? null],
  );
  return rows[0] ?? null;
}

/** Moves it if the table of transitions lets it; false when it does not. */
export async function moveOperation(scope: WorkspaceScope, id: string, to: OperationState): Promise<boolean> {
  const { rowCount } = await scope.query(
    'UPDATE operations SET state = $3 WHERE workspace_id = $1 AND id = $2 AND state = ANY ($4)',
    [scope.workspaceId, id, to, statesBefore(to)],
  );
  return rowCount === 1;
}

/**
 * Makes it this process's own. One that somebody left behind while it ran was interrupted, and is told as such from now on. Null when it
 * is over.
 */
export async function takeUpOperation(scope: WorkspaceScope, id: string): Promise<StoredOperation | null> {
  const found = await lockOperation(scope, id);
  if (!found) return null;
  // Whoever asked for it did its first bit at once and left the rest: nobody was interrupted.
  const wasLeft = found.state === 'interrupted' || (found.state === 'running' && found.run > 0);
  if (found.state === 'running') await moveOperation(scope, id, 'interrupted');
  await moveOperation(scope, id, 'running');
  const { rows } = await scope.query<StoredOperation>(
    `UPDATE operations SET run = run + 1, interruptions = interruptions + $3, started_at = coalesce(started_at, $4), heartbeat_at = $4,
            phase_at = $4, phase_done = done
      WHERE workspace_id = $1 AND id = $2 AND state NOT IN (${OVER}) RETURNING ${storedColumns}`,
    [scope.workspaceId, id, wasLeft ? 1 : 0, scope.clock()],
  );
  return rows[0] ?? null;
}

/** What came of it is not shown any more to whoever began it. */
export async function dismissOperation(scope: WorkspaceScope, operationId: string): Promise<void> {
  await scope.query(
    'UPDATE operations SET dismissed_at = $3 WHERE workspace_id = $1 AND id = $2 AND ended_at IS NOT NULL',
    [scope.workspaceId, operationId, scope.clock()],
  );
}

/** The same of all that a person began and that is over. */
export async function dismissOperationsOf(scope: WorkspaceScope, userId: string | null): Promise<void> {
  await scope.query(
    `UPDATE operations SET dismissed_at = $3
      WHERE workspace_id = $1 AND user_id = $2 AND ended_at IS NOT NULL AND dismissed_at IS NULL`,
    [scope.workspaceId, userId, scope.clock()],
  );
}

export type Advance = {
  /** How many more. */
  done: number;
  total?: number | null | undefined;
  /** Another phase counts from the beginning. */
  phase?: string | undefined;
  resume?: JsonObject | undefined;
  /** How many more of what came of it. */
  result?: Record<string, number> | undefined;
};

/**
 * Adds up how far this run came, as a sign of life; answers with how the act stands then, or null when it is not this run's any more. Without
 * its wish, which may name a hundred thousand people and need not travel each time.
 */
export async function advanceOperation(
  scope: WorkspaceScope,
  { id, run }: { id: string; run: number },
  { done, total, phase, resume, result = {} }: Advance,
): Promise<OperationRow | null> {
  const { rows } = await scope.query<OperationRow>(
    `UPDATE operations SET heartbeat_at = $4, resume = coalesce($5, resume), total = CASE WHEN $6 THEN $7 ELSE total END,
            done = CASE WHEN $8::text IS DISTINCT FROM phase AND $8 IS NOT NULL THEN 0 ELSE done END + $9,
            phase_done = CASE WHEN $8::text IS DISTINCT FROM phase AND $8 IS NOT NULL THEN 0 ELSE phase_done END,
            phase_at = CASE WHEN $8::text IS DISTINCT FROM phase AND $8 IS NOT NULL THEN $4 ELSE phase_at END, phase = coalesce($8, phase),
            result = result || (SELECT coalesce(jsonb_object_agg(key, coalesce((result->>key)::bigint, 0) + value::bigint), '{}')
                                  FROM jsonb_each_text($10))
      WHERE workspace_id = $1 AND id = $2 AND run = $3 AND state NOT IN (${OVER}) RETURNING ${operationColumns}`,
    [
      ...[scope.workspaceId, id, run, scope.clock(), resume ? JSON.stringify(resume) : null],
      ...[total !== undefined, total ?? null, phase ?? null, done, JSON.stringify(result)],
    ],
  );
  return rows[0] ?? null;
}

/** Those whose process may be gone: nobody gave a sign of life of them since then. With a phase those of it alone. */
export async function findSilentInAllWorkspaces(
  client: SqlQueries,
  before: Date,
  phase: string | null = null,
): Promise<SilentOperation[]> {
  const { rows } = await client.query<SilentOperation>(
    `SELECT id, workspace_id, kind, phase FROM operations
      WHERE state NOT IN (${OVER}) AND heartbeat_at < $1 AND ($2::text IS NULL OR phase = $2) ORDER BY heartbeat_at LIMIT 100`,
    [before, phase],
  );
  return rows;
}

export type SilentOperation = {
  id: string;
  workspace_id: string;
  kind: OperationKindName;
  phase: string | null;
};

/** Who acts, as the row keeps them. */
function keepCaller({ caller, cause }: WorkspaceScope): JsonObject {
  const { workspaceId: _, ...kept } = caller;
  return { ...kept, ...(cause && { cause }) };
}

/** What led to the act; null where a person began it. */
export function causeOfAct({ caller }: StoredOperation): Cause | null {
  return readCause(caller?.cause);
}

/** In whose name the act goes on. */
export function callerOfOperation({ caller, workspace_id: workspaceId }: StoredOperation): Caller {
  if (caller === null || caller.kind === 'system') {
    const part = (caller?.part ?? 'upkeep') as SystemPart; // as it was kept
    return systemCaller(part, workspaceId);
  }
  const { cause: _, ...kept } = caller;
  return { ...kept, workspaceId } as Caller; // as it was kept
}
