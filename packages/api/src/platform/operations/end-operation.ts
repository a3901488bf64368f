import { HOURS_FILE_KEPT } from '@app/domain/operations/operation-kinds';
import { statesBefore, type OverState } from '@app/domain/operations/operation-state';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { deleteParts } from './operation-parts.ts';
import type { OperationKind } from './operation-kind.ts';
import { lockOperation, type StoredOperation } from './operation-rows.ts';

export type OperationEnd = {
  state: OverState;
  error?: { code: string; values: Record<string, string | number> } | null;
  /** A file that came of it; what came with it goes. */
  file?: { name: string; type: string } | null;
};

/**
 * Ends an act and tells so, in the transaction of its last change. False when it is over already, when another process took it up (with a
 * run), or when the table of transitions has no such way: then nothing of this must be committed that only its end allows.
 */
export async function endOperation(
  scope: WorkspaceScope,
  kind: OperationKind,
  { id, run }: { id: string; run?: number },
  { state, error = null, file = null }: OperationEnd,
): Promise<boolean> {
  const now = scope.clock();
  const { rows } = await scope.query<{ done: string }>(
    `UPDATE operations SET state = $4, ended_at = $5, heartbeat_at = $5, wish = '{}', resume = '{}', caller = NULL, origin = NULL,
            error_code = $6, error_values = $7, file_name = $8, file_type = $9, file_until = $10
      WHERE workspace_id = $1 AND id = $2 AND ($3::int IS NULL OR run = $3) AND state = ANY ($11) RETURNING done`,
    [
      ...[
        scope.workspaceId,
        id,
        run ?? null,
        state,
        now,
        error?.code ?? null,
        JSON.stringify(error?.values ?? {}),
      ],
      ...[
        file?.name ?? null,
        file?.type ?? null,
        file && new Date(now.getTime() + HOURS_FILE_KEPT * 3_600_000),
      ],
      statesBefore(state),
    ],
  );
  if (rows.length === 0) return false;
  if (!file) await deleteParts(scope, { workspaceId: scope.workspaceId, operationId: id });
  const operation = await lockOperation(scope, id);
  if (operation) await emitEnd(scope, kind, operation, state);
  return true;
}

async function emitEnd(
  scope: WorkspaceScope,
  kind: OperationKind,
  operation: StoredOperation,
  state: OverState,
): Promise<void> {
  await kind.onEnd(scope, { operation, state });
  await scope.emit({
    type: 'long_act.ended',
    subject: operation.id,
    values: { kind: kind.name, state },
  });
}
