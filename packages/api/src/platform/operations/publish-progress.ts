import type { ApiDependencies } from '../request-context.ts';
import type { ReadScope, WorkspaceScope } from '../workspace-scope.ts';
import { operationColumns, presentFigures, type OperationRow } from './present-operation.ts';

export type ProgressParts = Pick<ApiDependencies, 'liveEvents'>;

/** So often at most browsers hear how far an act is. */
export const TELL_EVERY_MS = 500;

/** Tells the browsers how far it is, once this is committed. How far it is is no fact; its end is. */
export async function publishProgress(
  scope: WorkspaceScope,
  { liveEvents }: ProgressParts,
  id: string,
): Promise<void> {
  const row = await readRow(scope, id);
  if (!row) return;
  const act = presentFigures(row, scope.clock());
  scope.afterCommit(() => liveEvents.publish(scope.workspaceId, 'progress', { act }));
}

/** The same outside of a transaction that changes it. */
export async function publishRow(
  { liveEvents }: ProgressParts,
  { row, workspaceId, now }: { row: OperationRow; workspaceId: string; now: Date },
): Promise<void> {
  await liveEvents.publish(workspaceId, 'progress', {
    act: presentFigures(row, now),
  });
}

async function readRow(scope: ReadScope, id: string): Promise<OperationRow | undefined> {
  const { rows } = await scope.query<OperationRow>(
    `SELECT ${operationColumns} FROM operations WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id],
  );
  return rows[0];
}
