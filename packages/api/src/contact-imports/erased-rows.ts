import { findErased } from '../platform/erased-people.ts';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ImportRun } from './import-run.ts';
import type { RowError, StagedRow } from './staged-rows.ts';
import { ImportRefused } from './import-text.ts';

/** Without the number: the list of errors must not bring back what was erased. */
const rowOfErased = (row: number) => `Row ${row}: This person was erased and is not added again`;
const ERASED_MEANWHILE =
  'Somebody was erased while the file was read. Nothing was imported; please import the file again.';

/** Divides rows into those that may become contacts and those of people who were erased. */
export async function refuseErasedRows(
  held: HeldConnection,
  { secrets }: Pick<ImportRun, 'secrets'>,
  rows: readonly StagedRow[],
): Promise<{ allowed: readonly StagedRow[]; refused: RowError[] }> {
  if (rows.length === 0) return { allowed: rows, refused: [] };
  const { workspaceId } = held;
  const personOf = ({ phone }: StagedRow) => ({ workspaceId, identifier: phone });
  const isErased = await findErased(held, secrets, rows.map(personOf));
  const allowed: StagedRow[] = [];
  const refused: RowError[] = [];
  for (const row of rows) {
    if (isErased(personOf(row))) refused.push({ row: row.row, message: rowOfErased(row.row) });
    else allowed.push(row);
  }
  return { allowed, refused };
}

/** What the database's clock says; those of two processes differ. */
export async function readDatabaseTime(held: HeldConnection): Promise<string> {
  const { rows } = await held.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
  return rows[0]!.now; // it is one row
}

/** Rows are checked as they are read; whoever was erased since then, by the database's clock, might be among them. */
export async function refuseIfErasedSince(scope: WorkspaceScope, since: string): Promise<void> {
  const { rowCount } = await scope.query(
    'SELECT FROM erased_people WHERE workspace_id = $1 AND erased_at >= $2::timestamptz LIMIT 1',
    [scope.workspaceId, since],
  );
  if (rowCount !== 0) throw new ImportRefused(ERASED_MEANWHILE);
}
