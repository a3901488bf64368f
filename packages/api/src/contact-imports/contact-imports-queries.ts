import type { contactImport } from '@app/contracts/contact-imports/contact-imports-contract';
import { describeFileProblem, describeRowProblem } from '@app/domain/contact-imports/import-problems';
import type { OperationState } from '@app/domain/operations/operation-state';
import type { z } from 'zod';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type ContactImport = z.infer<typeof contactImport>;

type ImportRow = {
  id: string;
  file_name: string;
  state: OperationState;
  error_code: string | null;
  error_values: Record<string, string | number>;
  undone_at: Date | null;
  is_dry_run: boolean;
  successful: number;
  updated: number;
  failed: number;
  opted_out: number;
  opt_outs: number;
  opt_ins: number;
  rows_kept_until: Date | null;
  created_at: Date;
  encoding: string | null;
  twofold: number;
};

const columns = `i.id, i.file_name, a.state, a.error_code, a.error_values, i.undone_at, i.is_dry_run, i.successful, i.updated, i.failed,
  i.opted_out, i.opt_outs, i.opt_ins, i.rows_kept_until, i.created_at, i.encoding, i.twofold`;
const imports = 'contact_imports i JOIN operations a ON a.workspace_id = i.workspace_id AND a.id = i.id';

/** Those of contacts alone; what a file of all data did to contacts is told with it. */
export async function listImports(scope: ReadScope): Promise<ContactImport[]> {
  const { rows } = await scope.query<ImportRow>(
    `SELECT ${columns} FROM ${imports} WHERE i.workspace_id = $1 AND a.kind = 'contact-import' ORDER BY i.created_at DESC LIMIT 10`,
    [scope.workspaceId],
  );
  return rows.map((row) => presentImport(row, scope.clock()));
}

export async function findImport(scope: ReadScope, importId: string): Promise<ContactImport | null> {
  const { rows } = await scope.query<ImportRow>(
    `SELECT ${columns} FROM ${imports} WHERE i.workspace_id = $1 AND i.id = $2`,
    [scope.workspaceId, importId],
  );
  return rows[0] ? presentImport(rows[0], scope.clock()) : null;
}

type RowError = { row: number; code: string; values: Record<string, string | number>; message: string };

/** The rows that were not imported, in the order of the file. */
export async function listImportErrors(
  scope: ReadScope,
  {
    importId,
    code,
    after,
    limit,
  }: { importId: string; code?: string | undefined; after: number; limit: number },
): Promise<RowError[]> {
  const { rows } = await scope.query<Omit<RowError, 'message'>>(
    `SELECT row_number AS row, code, "values" FROM contact_import_errors
      WHERE workspace_id = $1 AND import_id = $2 AND row_number > $3 AND ($5::text IS NULL OR code = $5)
      ORDER BY row_number LIMIT $4`,
    [scope.workspaceId, importId, after, limit, code ?? null],
  );
  return rows.map((error) => ({ ...error, message: describeRowProblem(error.row, error) }));
}

export type FailureReason = { code: string; values: Record<string, string | number>; rows: number };

/** What differs from row to row stands in the rows. */
const OF_THE_ROW = ['phone'];

/** Why rows failed, the most frequent reason first. */
export async function listImportReasons(scope: ReadScope, importId: string): Promise<FailureReason[]> {
  const { rows } = await scope.query<FailureReason>(
    `SELECT code, "values" - $3::text[] AS "values", count(*)::int AS rows FROM contact_import_errors
      WHERE workspace_id = $1 AND import_id = $2 GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2::text LIMIT 200`,
    [scope.workspaceId, importId, OF_THE_ROW],
  );
  return rows;
}

function presentImport(row: ImportRow, now: Date): ContactImport {
  const problem = row.error_code === null ? null : { code: row.error_code, values: row.error_values };
  return {
    id: row.id,
    fileName: row.file_name,
    state: row.undone_at ? 'undone' : row.state,
    problem,
    reason: problem && describeFileProblem(problem),
    isDryRun: row.is_dry_run,
    successful: row.successful,
    updated: row.updated,
    failed: row.failed,
    optedOut: row.opted_out,
    optOuts: row.opt_outs,
    optIns: row.opt_ins,
    hasFailedRows: row.rows_kept_until !== null && row.rows_kept_until > now,
    total: row.successful + row.failed,
    encoding: row.encoding,
    twofold: row.twofold,
    createdAt: row.created_at.toISOString(),
  };
}
