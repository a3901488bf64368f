import type { contactImport } from '@app/contracts/contact-imports/contact-imports-contract';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { isLost, LOST } from './lost-imports.ts';

export type ContactImport = z.infer<typeof contactImport>;

type ImportRow = {
  id: string;
  file_name: string;
  state: ContactImport['state'];
  reason: string | null;
  phase: ContactImport['phase'];
  received_bytes: string;
  total_bytes: string | null;
  is_dry_run: boolean;
  rows: number;
  successful: number;
  updated: number;
  failed: number;
  opted_out: number;
  opt_outs: number;
  opt_ins: number;
  rows_kept_until: Date | null;
  created_at: Date;
  updated_at: Date;
};

const columns =
  'id, file_name, state, reason, phase, received_bytes, total_bytes, is_dry_run, rows, successful, updated, failed, opted_out, opt_outs, opt_ins, rows_kept_until, created_at, updated_at';

export async function listImports(scope: ReadScope): Promise<ContactImport[]> {
  const { rows } = await scope.query<ImportRow>(
    `SELECT ${columns} FROM contact_imports WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT 10`,
    [scope.workspaceId],
  );
  return rows.map((row) => presentImport(row, scope.clock()));
}

export async function findImport(scope: ReadScope, importId: string): Promise<ContactImport | null> {
  const { rows } = await scope.query<ImportRow>(
    `SELECT ${columns} FROM contact_imports WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, importId],
  );
  return rows[0] ? presentImport(rows[0], scope.clock()) : null;
}

export async function cancelImport(scope: WorkspaceScope, importId: string): Promise<void> {
  await scope.query(
    `UPDATE contact_imports SET state = 'cancelling' WHERE workspace_id = $1 AND id = $2 AND state = 'running'`,
    [scope.workspaceId, importId],
  );
}

/** The rows that were not imported, in the order of the file. */
export async function listImportErrors(
  scope: ReadScope,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<{ row: number; message: string }[]> {
  const { rows } = await scope.query<{ row: number; message: string }>(
    `SELECT row_number AS row, message FROM contact_import_errors
      WHERE workspace_id = $1 AND import_id = $2 AND row_number > $3 ORDER BY row_number LIMIT $4`,
    [scope.workspaceId, importId, after, limit],
  );
  return rows;
}

function presentImport(row: ImportRow, now: Date): ContactImport {
  const wasLost = isLost(row, now);
  return {
    id: row.id,
    fileName: row.file_name,
    state: wasLost ? 'failed' : row.state,
    reason: wasLost ? LOST : row.reason,
    phase: row.phase,
    receivedBytes: Number(row.received_bytes),
    totalBytes: row.total_bytes === null ? null : Number(row.total_bytes),
    rows: row.rows,
    isDryRun: row.is_dry_run,
    successful: row.successful,
    updated: row.updated,
    failed: row.failed,
    optedOut: row.opted_out,
    optOuts: row.opt_outs,
    optIns: row.opt_ins,
    hasFailedRows: row.rows_kept_until !== null && row.rows_kept_until > now,
    total: row.successful + row.failed,
    createdAt: row.created_at.toISOString(),
  };
}
