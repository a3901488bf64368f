import { personOf } from '@app/domain/auth/caller';
import {
  HOURS_FILE_KEPT,
  HOURS_RESULT_SHOWN,
  operationKindNames,
} from '@app/domain/operations/operation-kinds';
import { overStates } from '@app/domain/operations/operation-state';
import {
  operationColumns,
  maySee,
  presentOperation,
  type OperationRow,
  type Operation,
} from '../platform/operations/present-operation.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

const HOUR_MS = 3_600_000;
const MOST = 50;

/** What goes on, whoever began it, and what of the caller's own ended a short while ago and was not put away; the newest first. */
export async function listOperations(scope: ReadScope): Promise<Operation[]> {
  const { caller, workspaceId } = scope;
  const now = scope.clock();
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
  const { rows } = await scope.query<OperationRow>(
    `SELECT ${operationColumns} FROM operations
      WHERE workspace_id = $1 AND kind = ANY ($2) AND (state <> ALL ($3)
         OR (user_id = $4 AND dismissed_at IS NULL AND ended_at > $6::timestamptz AND (file_name IS NOT NULL OR ended_at > $5::timestamptz)))
      ORDER BY created_at DESC, id LIMIT ${MOST}`,
    [
      ...[workspaceId, operationKindNames.filter((kind) => maySee(caller, kind)), overStates],
      ...[personOf(caller), before(HOURS_RESULT_SHOWN), before(HOURS_FILE_KEPT)],
    ],
  );
  return rows.map((row) => presentOperation(row, { caller, now }));
}
