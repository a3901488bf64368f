import { rowProblem } from '@app/domain/contact-imports/import-problems';
import { findErased } from '../platform/erased-people.ts';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ImportRun } from './import-run.ts';
import type { RowError, StagedRow } from './staged-rows.ts';
import { ImportRefused } from './reading/import-text.ts';

type Read = { staged: readonly StagedRow[]; failed: readonly RowError[] };

/** Takes people who were erased out of what was read: no row of theirs becomes a contact, and none that failed is kept as it was. */
export async function refuseErasedRows(
  held: HeldConnection,
  { secrets }: Pick<ImportRun, 'secrets'>,
  { staged, failed }: Read,
): Promise<Read & { refused: number }> {
  const { workspaceId } = held;
  const personsOf = ({ phone }: { phone?: string }) =>
    phone === undefined ? [] : [{ workspaceId, identifier: phone }];
  const people = [...staged, ...failed].flatMap(personsOf);
  if (people.length === 0) return { staged, failed, refused: 0 };
  const isErased = await findErased(held, secrets, people);
  const isRefused = (row: StagedRow | RowError) => personsOf(row).some(isErased);
  const allowed = staged.filter((row) => !isRefused(row));
  const refused = staged.filter(isRefused);
  // Without the number: the list of errors must not bring back what was erased.
  const blank = ({ row }: { row: number }): RowError => ({ row, problem: rowProblem('erased_person') });
  return {
    staged: allowed,
    failed: [...failed.map((row) => (isRefused(row) ? blank(row) : row)), ...refused.map(blank)],
    refused: refused.length,
  };
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
  if (rowCount !== 0) throw new ImportRefused('erased_meanwhile');
}
