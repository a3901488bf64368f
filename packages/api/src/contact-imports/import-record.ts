import { importLimits } from '@app/domain/contact-imports/contact-import';
import { DAYS_OPERATION_STORED } from '@app/domain/operations/operation-kinds';
import type { SystemParts } from '../platform/system-work.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ImportProgress } from './import-run.ts';

/** What an import came to stands in a row of its own, beside that of its act; one that begins anew has come to nothing yet. */
export async function openRecord(
  scope: WorkspaceScope,
  { importId, fileName, isDryRun }: { importId: string; fileName: string; isDryRun: boolean },
): Promise<void> {
  await scope.query(
    `INSERT INTO contact_imports (id, workspace_id, file_name, is_dry_run, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET file_name = excluded.file_name, is_dry_run = excluded.is_dry_run, created_at = excluded.created_at`,
    [importId, scope.workspaceId, fileName, isDryRun, scope.clock()],
  );
}

/** In the transaction that adds the contacts. */
export async function keepOutcome(
  scope: WorkspaceScope,
  importId: string,
  { successful, updated, failed, optedOut, optOuts, optIns, columns, encoding, twofold }: ImportProgress,
): Promise<void> {
  await scope.query(
    `UPDATE contact_imports SET successful = $3, updated = $4, failed = $5, opted_out = $6, opt_outs = $7, opt_ins = $8, file_columns = $9, encoding = $11, twofold = $12,
            rows_kept_until = CASE WHEN $5 > 0 THEN $10::timestamptz + interval '${importLimits.daysRowsKept} days' END
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, importId, successful, updated, failed, optedOut, optOuts, optIns],
      ...[columns && JSON.stringify(columns), scope.clock(), encoding, twofold],
    ],
  );
}

/** Of an import that added nothing no row is kept: why stands for all of them. */
export async function deleteErrors(scope: WorkspaceScope, importId: string): Promise<void> {
  await scope.query('DELETE FROM contact_import_errors WHERE workspace_id = $1 AND import_id = $2', [
    scope.workspaceId,
    importId,
  ]);
}

/** Rows that go at once: an import may have changed a million contacts, and one transaction stays short. */
const ROWS_AT_ONCE = 100_000;

/** What came of an import goes with its act: what it changed and its failed rows first, then the import itself. */
export async function deleteOldImports(parts: SystemParts, rowsAtOnce = ROWS_AT_ONCE): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM contact_imports k WHERE created_at < $1
          AND NOT EXISTS (SELECT FROM operations a WHERE a.id = k.id) ORDER BY created_at LIMIT 100`,
      [new Date(parts.clock().getTime() - DAYS_OPERATION_STORED * 86_400_000)],
    );
    const due = rows.map(({ id }) => id);
    if (due.length === 0) return;
    await client.query(
      `DELETE FROM contact_import_changes WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM contact_import_changes WHERE import_id = ANY ($1) LIMIT $2))`,
      [due, rowsAtOnce],
    );
    await client.query(
      `DELETE FROM contact_import_errors WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM contact_import_errors WHERE import_id = ANY ($1) LIMIT $2))`,
      [due, rowsAtOnce],
    );
    await client.query(
      `DELETE FROM contact_imports i WHERE i.id = ANY ($1)
          AND NOT EXISTS (SELECT FROM contact_import_changes c WHERE c.import_id = i.id)
          AND NOT EXISTS (SELECT FROM contact_import_errors e WHERE e.import_id = i.id)`,
      [due],
    );
  });
}

/** Rows that were not imported hold what their file said of people: they are kept for a while to be mended, and no longer. */
export async function deleteFailedRows(parts: SystemParts): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `WITH due AS (UPDATE contact_imports SET rows_kept_until = NULL, file_columns = NULL WHERE rows_kept_until < $1
                    RETURNING workspace_id, id)
       UPDATE contact_import_errors e SET source = NULL FROM due WHERE e.workspace_id = due.workspace_id AND e.import_id = due.id`,
      [parts.clock()],
    );
  });
}
