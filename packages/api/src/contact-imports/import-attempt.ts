import { importLimits } from '@app/domain/contact-imports/contact-import';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { silentSince } from './lost-imports.ts';
import type { ImportProgress } from './import-run.ts';

/**
 * One run of an import. An id whose run was lost may begin anew, so what a run writes names the time at which it
 * began: a process that only slept finds that the row is not its own any more.
 */
export type ImportAttempt = { importId: string; at: Date };

const IS_OURS = `workspace_id = $1 AND id = $2 AND created_at = $3 AND state IN ('running', 'cancelling')`;

/** False when an import of this id is running or was completed; what failed, or died, added nothing and begins anew. */
export async function beginImport(
  scope: WorkspaceScope,
  { importId, at }: ImportAttempt,
  begun: { userId: string; fileName: string; totalBytes: number | null; isDryRun: boolean },
): Promise<boolean> {
  const values = [
    importId,
    scope.workspaceId,
    begun.userId,
    begun.fileName,
    begun.totalBytes,
    begun.isDryRun,
    at,
  ];
  const added = await scope.query(
    `INSERT INTO contact_imports (id, workspace_id, user_id, file_name, total_bytes, is_dry_run, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING`,
    values,
  );
  if (added.rowCount === 1) return true;
  const { rowCount } = await scope.query(
    `UPDATE contact_imports SET user_id = $3, file_name = $4, total_bytes = $5, is_dry_run = $6, created_at = $7,
            updated_at = $7, state = 'running', reason = NULL, phase = 'reading', received_bytes = 0, rows = 0,
            successful = 0, updated = 0, failed = 0, opted_out = 0, opt_outs = 0, opt_ins = 0
      WHERE id = $1 AND workspace_id = $2 AND created_at < $7
        AND (state = 'failed' OR (state IN ('running', 'cancelling') AND updated_at < $8))`,
    [...values, silentSince(at)],
  );
  if (rowCount !== 1) return false;
  await forgetErrors(scope, importId);
  return true;
}

/** Shows the figures to whoever asks; true when somebody cancelled the import meanwhile. */
export async function reportProgress(
  scope: WorkspaceScope,
  { importId, at }: ImportAttempt,
  { phase, receivedBytes, rows, successful, failed }: ImportProgress,
): Promise<boolean> {
  const { rows: states } = await scope.query<{ state: string }>(
    `UPDATE contact_imports SET phase = $4, received_bytes = $5, rows = $6, successful = $7, failed = $8, updated_at = $9
      WHERE ${IS_OURS} RETURNING state`,
    [scope.workspaceId, importId, at, phase, receivedBytes, rows, successful, failed, scope.clock()],
  );
  return states[0]?.state === 'cancelling';
}

/** In the transaction that adds the contacts. False when the import was given up meanwhile: it must not be committed. */
export async function completeImport(
  scope: WorkspaceScope,
  { importId, at }: ImportAttempt,
  { receivedBytes, rows, successful, updated, failed, optedOut, optOuts, optIns, columns }: ImportProgress,
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE contact_imports SET state = 'done', phase = 'saving', received_bytes = $4, rows = $5, successful = $6,
            updated = $7, failed = $8, updated_at = $9, opted_out = $10, opt_outs = $11, opt_ins = $12, file_columns = $13,
            rows_kept_until = CASE WHEN $8 > 0 THEN $9::timestamptz + interval '${importLimits.daysRowsKept} days' END
      WHERE ${IS_OURS}`,
    [
      ...[scope.workspaceId, importId, at, receivedBytes, rows, successful, updated, failed, scope.clock()],
      ...[optedOut, optOuts, optIns, columns && JSON.stringify(columns)],
    ],
  );
  return rowCount === 1;
}

/**
 * An import that added nothing keeps no row errors: its reason stands for all of them. False when it ended before,
 * such as by a commit whose answer was lost: this waits for one that is under way, and then leaves it as it is.
 */
export async function endImport(
  scope: WorkspaceScope,
  { importId, at }: ImportAttempt,
  { state, reason }: { state: 'failed' | 'cancelled'; reason: string | null },
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE contact_imports SET state = $4, reason = $5, successful = 0, updated = 0, failed = 0, updated_at = $6
      WHERE ${IS_OURS}`,
    [scope.workspaceId, importId, at, state, reason, scope.clock()],
  );
  if (rowCount !== 1) return false;
  await forgetErrors(scope, importId);
  return true;
}

async function forgetErrors(scope: WorkspaceScope, importId: string): Promise<void> {
  await scope.query('DELETE FROM contact_import_errors WHERE workspace_id = $1 AND import_id = $2', [
    scope.workspaceId,
    importId,
  ]);
}
