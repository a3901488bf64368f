import type { dataImport } from '@app/contracts/data-management/data-management-contract';
import {
  DAYS_IMPORT_UNDOABLE,
  type ImportPreference,
  type ImportRules,
} from '@app/domain/data-management/data-import';
import { DAYS_OPERATION_STORED } from '@app/domain/operations/operation-kinds';
import type { OperationState } from '@app/domain/operations/operation-state';
import type { z } from 'zod';
import { changeAcrossWorkspaces, type SystemParts } from '../platform/system-work.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { DataBefore, DataReport } from './adopt-rest.ts';

export type DataImport = z.output<typeof dataImport>;

const DAY_MS = 86_400_000;

type Row = {
  id: string;
  file_name: string;
  state: OperationState;
  error_code: string | null;
  error_values: Record<string, string | number>;
  prefers: ImportPreference;
  replaces: boolean;
  is_dry_run: boolean;
  report: DataReport | null;
  created_at: Date;
  undone_at: Date | null;
  /** Of what was here before, where the file took its place. */
  before_until: Date | null;
  before_undone_at: Date | null;
};

const SELECT = `SELECT i.id, i.file_name, a.state, a.error_code, a.error_values, i.prefers, i.replaces, i.is_dry_run, i.report, i.created_at, i.undone_at,
         CASE WHEN r.before_bytes IS NOT NULL THEN r.undoable_until END AS before_until, r.undone_at AS before_undone_at
  FROM data_imports i JOIN operations a ON a.workspace_id = i.workspace_id AND a.id = i.id
  LEFT JOIN archive_imports r ON r.workspace_id = i.workspace_id AND r.id = i.id AND r.of_import WHERE i.workspace_id = $1`;

/** What an import comes to stands in a row of its own; one that begins anew has come to nothing yet. */
export async function openDataImport(
  scope: WorkspaceScope,
  { id, fileName, prefers, replaces, isDryRun }: { id: string; fileName: string } & ImportRules,
): Promise<void> {
  await scope.query(
    `INSERT INTO data_imports (id, workspace_id, file_name, prefers, replaces, is_dry_run, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO UPDATE SET file_name = excluded.file_name, prefers = excluded.prefers, replaces = excluded.replaces,
       is_dry_run = excluded.is_dry_run, created_at = excluded.created_at`,
    [id, scope.workspaceId, fileName, prefers, replaces, isDryRun, scope.clock()],
  );
}

export async function keepReport(
  scope: WorkspaceScope,
  id: string,
  { report, before }: { report: DataReport; before: DataBefore },
): Promise<void> {
  await scope.query('UPDATE data_imports SET report = $3, before = $4 WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    id,
    JSON.stringify(report),
    JSON.stringify(before),
  ]);
}

export async function findDataImport(scope: ReadScope, id: string): Promise<DataImport | null> {
  const { rows } = await scope.query<Row>(`${SELECT} AND i.id = $2`, [scope.workspaceId, id]);
  return rows[0] ? present(rows[0], scope.clock()) : null;
}

/** The newest ones that changed something, and older ones that took the place of what was here as long as that can be had back. */
export async function listDataImports(scope: ReadScope): Promise<DataImport[]> {
  const { rows } = await scope.query<Row>(
    `WITH done AS (${SELECT} AND NOT i.is_dry_run AND a.state = 'done')
     SELECT * FROM done WHERE (before_until > $2 AND before_undone_at IS NULL) OR id IN (SELECT id FROM done ORDER BY created_at DESC LIMIT 5)
      ORDER BY created_at DESC`,
    [scope.workspaceId, scope.clock()],
  );
  return rows.map((row) => present(row, scope.clock()));
}

/** Marks it as taken back. Null where it took the place of what was here (`undoArchive` brings that back), that is done, too late, or nothing came of it. */
export async function takeBackRecord(scope: WorkspaceScope, id: string): Promise<DataBefore | null> {
  const { rows } = await scope.query<{ before: DataBefore }>(
    `UPDATE data_imports SET undone_at = $3
      WHERE workspace_id = $1 AND id = $2 AND undone_at IS NULL AND NOT is_dry_run AND NOT replaces AND report IS NOT NULL AND created_at > $4
        AND EXISTS (SELECT FROM operations a WHERE a.workspace_id = $1 AND a.id = $2 AND a.state = 'done') RETURNING before`,
    [scope.workspaceId, id, scope.clock(), new Date(scope.clock().getTime() - DAYS_IMPORT_UNDOABLE * DAY_MS)],
  );
  return rows[0]?.before ?? null;
}

/** They go with their acts. */
export async function deleteOldDataImports(parts: SystemParts): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `DELETE FROM data_imports WHERE id IN (
         SELECT id FROM data_imports i WHERE created_at < $1 AND NOT EXISTS (SELECT FROM operations a WHERE a.id = i.id) LIMIT 100)`,
      [new Date(parts.clock().getTime() - DAYS_OPERATION_STORED * DAY_MS)],
    );
  });
}

function present(row: Row, now: Date): DataImport {
  const undoneAt = row.replaces ? row.before_undone_at : row.undone_at;
  const merged = new Date(row.created_at.getTime() + DAYS_IMPORT_UNDOABLE * DAY_MS);
  const until = row.replaces ? row.before_until : merged;
  const isUndoable =
    row.state === 'done' && !row.is_dry_run && undoneAt === null && until !== null && until > now;
  return {
    ...{
      id: row.id,
      fileName: row.file_name,
      state: undoneAt ? 'undone' : row.state,
    },
    problem: row.error_code === null ? null : { code: row.error_code, values: row.error_values },
    ...{ prefers: row.prefers, replaces: row.replaces, isDryRun: row.is_dry_run },
    report: row.report && { ...row.report, goes: row.report.goes ?? null },
    createdAt: row.created_at.toISOString(),
    undoableUntil: isUndoable ? until.toISOString() : null,
  };
}
