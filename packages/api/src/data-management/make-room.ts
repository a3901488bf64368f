import { recordLostOptOuts } from '../contact-imports/lost-opt-outs.ts';
import type { SavingRun } from '../contact-imports/import-run.ts';
import type { RunningOperation } from '../platform/operations/operation-kind.ts';
import { inNameOf } from '../platform/operations/run-operation.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { suppressAllContacts } from './archive-import/follow-people.ts';
import { holdWorkspace } from './archive-import/hold-workspace.ts';
import { removeLeftovers } from './archive-import/leftovers.ts';
import {
  endOfUndo,
  findArchiveImport,
  openArchiveImportOfUpload,
} from './archive-import/archive-import-rows.ts';
import { takeBefore, type Before } from './archive-import/take-before.ts';
import { GOES_FOR_FILE } from './cleared-tables.ts';

/** What an earlier run of this act left in the store goes first; then what is here is written down under the act's id. */
export async function openCopyOfBefore(running: RunningOperation): Promise<void> {
  const { operation, parts } = running;
  const reading = await inNameOf(running, (scope) =>
    openArchiveImportOfUpload(scope, { id: operation.id, fileName: operation.name }),
  );
  await removeLeftovers(parts, reading);
}

/** A run that came to nothing leaves nothing; where that cannot be done now upkeep does it. */
export async function dropCopyOfBefore(running: RunningOperation): Promise<void> {
  const { operation, parts } = running;
  try {
    const left = await inNameOf(running, (scope) => findArchiveImport(scope, operation.id));
    if (left) await removeLeftovers(parts, left, operation.run);
  } catch (error) {
    parts.logger.warn(
      { err: error, operation: operation.id },
      'bytes of an import that came to nothing may be left',
    );
  }
}

/**
 * First in the transaction that brings the contacts of a file: what the workspace holds is written down and goes. What was said against marketing is kept for
 * those who come, also where a row of the file that failed says it, and whoever of them is blocked here stays so.
 */
export async function makeRoom(
  scope: WorkspaceScope,
  running: RunningOperation,
  run: SavingRun,
): Promise<Before> {
  const { workspaceId } = scope;
  const { operation, parts } = running;
  await scope.query(`SET LOCAL lock_timeout = '60s'`);
  await holdWorkspace(scope, operation.id);
  const before = await takeBefore(running, operation.id, run.signal);
  await recordLostOptOuts(scope, run);
  await scope.query(
    `UPDATE import_rows r SET status = 'blocked'
       FROM (SELECT id, phone AS identifier FROM contacts WHERE workspace_id = $1 AND status = 'blocked'
             UNION ALL SELECT contact_id, identifier FROM contact_aliases WHERE workspace_id = $1 AND until IS NULL) AS known
       JOIN contacts c ON c.id = known.id
      WHERE c.workspace_id = $1 AND c.status = 'blocked' AND known.identifier = r.phone`,
    [workspaceId],
  );
  await suppressAllContacts(scope, parts.secrets);
  for (const table of ['deleted_contacts', 'contacts', ...GOES_FOR_FILE])
    await scope.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [workspaceId]);
  // Nothing of theirs is left that could be taken back.
  for (const table of ['data_imports', 'contact_imports'])
    await scope.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND id <> $2`, [
      workspaceId,
      operation.id,
    ]);
  return before;
}

/** From here on what was here can be had back, as after an archive that was read in. */
export async function keepBefore(scope: WorkspaceScope, id: string, before: Before): Promise<void> {
  const now = scope.clock();
  await scope.query(
    `UPDATE archive_imports SET replaced_at = $3, before_bytes = $4, before_sealed = $5, undoable_until = $6 WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, now, before.bytes, before.sealed, endOfUndo(now)],
  );
}
