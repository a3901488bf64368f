import { overStates } from '@app/domain/long-acts/long-act-state';
import type { ApiDependencies } from '../request-context.ts';
import { changeAcrossWorkspaces } from '../system-work.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

/** Acts whose file is made of people who are here. */
const MAKES_FILES = `kind IN ('contact-export', 'results-export')`;

/** Files are kept for a while, and no longer. */
export async function forgetOldFiles(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `WITH due AS (UPDATE long_acts SET file_gone = 'expired', file_until = NULL, file_name = NULL WHERE file_until <= $1
                    RETURNING workspace_id, id)
       DELETE FROM long_act_parts p USING due WHERE p.workspace_id = due.workspace_id AND p.act_id = due.id`,
      [parts.clock()],
    );
  });
}

/** Every file that was made while somebody was here who is erased goes; one that is being made is begun anew, without them. */
export async function forgetFilesOfPeople(scope: WorkspaceScope): Promise<void> {
  const values = [scope.workspaceId, overStates];
  await scope.query(
    `UPDATE long_acts SET file_gone = 'erased', file_until = NULL, file_name = NULL
      WHERE workspace_id = $1 AND state = ANY ($2) AND ${MAKES_FILES} AND file_until IS NOT NULL`,
    values,
  );
  await scope.query(
    `UPDATE long_acts SET resume = '{}', result = '{}', done = 0, phase_done = 0
      WHERE workspace_id = $1 AND state <> ALL ($2) AND ${MAKES_FILES}`,
    values,
  );
  await scope.query(
    `DELETE FROM long_act_parts WHERE workspace_id = $1
        AND act_id IN (SELECT id FROM long_acts WHERE workspace_id = $1 AND ${MAKES_FILES})`,
    [scope.workspaceId],
  );
}

/** What came of it is not shown any more to whoever began it. */
export async function dismissAct(scope: WorkspaceScope, actId: string): Promise<void> {
  await scope.query(
    'UPDATE long_acts SET dismissed_at = $3 WHERE workspace_id = $1 AND id = $2 AND ended_at IS NOT NULL',
    [scope.workspaceId, actId, scope.clock()],
  );
}
