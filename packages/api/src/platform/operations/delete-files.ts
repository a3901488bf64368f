import { fileKindNames } from '@app/domain/operations/operation-kinds';
import { overStates } from '@app/domain/operations/operation-state';
import type { ApiDependencies } from '../request-context.ts';
import { changeAcrossWorkspaces } from '../system-work.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

/** Files are kept for a while, and no longer. */
export async function deleteOldFiles(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `WITH due AS (UPDATE operations SET file_gone = 'expired', file_until = NULL, file_name = NULL WHERE file_until <= $1
                    RETURNING workspace_id, id)
       DELETE FROM operation_parts p USING due WHERE p.workspace_id = due.workspace_id AND p.operation_id = due.id`,
      [parts.clock()],
    );
  });
}

/** Every file that was made while somebody was here who is erased goes; one that is being made is begun anew, without them. */
export async function deleteFilesOfPeople(scope: WorkspaceScope): Promise<void> {
  const values = [scope.workspaceId, overStates, fileKindNames];
  await scope.query(
    `UPDATE operations SET file_gone = 'erased', file_until = NULL, file_name = NULL
      WHERE workspace_id = $1 AND state = ANY ($2) AND kind = ANY ($3) AND file_until IS NOT NULL`,
    values,
  );
  await scope.query(
    `UPDATE operations SET resume = '{}', result = '{}', done = 0, phase_done = 0
      WHERE workspace_id = $1 AND state <> ALL ($2) AND kind = ANY ($3)`,
    values,
  );
  await scope.query(
    `DELETE FROM operation_parts WHERE workspace_id = $1
        AND operation_id IN (SELECT id FROM operations WHERE workspace_id = $1 AND kind = ANY ($2))`,
    [scope.workspaceId, fileKindNames],
  );
}
