import {
  openFailedRowsFile,
  type FailedRow,
  type FailedRowsFile,
  type FileColumns,
} from '@app/domain/contact-imports/failed-rows-file';
import { describeRowProblem, type RowProblem } from '@app/domain/contact-imports/import-problems';
import { isUuid } from '@app/domain/uuid';
import type { SignedInContext } from '../platform/request-context.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { sendDownload } from '../platform/http-edge/send-download.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

const ROWS_AT_ONCE = 1_000;
const TYPES = { csv: 'text/csv', json: 'application/json' } as const;

/**
 * `GET /api/contacts/imports/:importId/failed-rows`: the rows that were not imported, as they were, each with its reason in English. With
 * `as=codes` the same as JSON with the code of each reason, for whoever has words of their own for it.
 */
export async function sendFailedRows(
  request: Request,
  context: SignedInContext,
  importId: string,
): Promise<Response> {
  const columns = await context.change((scope) => openRows(scope, importId));
  if (columns === undefined) return refuse('contact_import_not_found');
  const isCoded = new URL(request.url).searchParams.get('as') === 'codes';
  const file = isCoded ? openCodedRows(columns) : openFailedRowsFile(columns);
  const pages = writePages(file, importId, context);
  const type = `${TYPES[file.type]}; charset=utf-8`;
  return sendDownload(pages, { subject: 'failed-rows', at: context.clock(), extension: file.type, type });
}

/** The columns of the file; undefined when no rows of it are kept. */
async function openRows(scope: WorkspaceScope, importId: string): Promise<FileColumns | undefined> {
  if (!isUuid(importId)) return undefined;
  const { rows } = await scope.query<{ file_columns: FileColumns }>(
    'SELECT file_columns FROM contact_imports WHERE workspace_id = $1 AND id = $2 AND rows_kept_until > $3',
    [scope.workspaceId, importId, scope.clock()],
  );
  if (rows[0]) await scope.emit({ type: 'contacts.failed_rows_exported', subject: importId, values: {} });
  return rows[0]?.file_columns;
}

type Row = FailedRow & RowProblem;

/** What `openFailedRowsFile` needs, with codes in place of words. */
function openCodedRows(columns: FileColumns): FailedRowsFile<Row> {
  return {
    type: 'json',
    start: `{"columns":${JSON.stringify(columns)},"rows":[`,
    write: ({ row, code, values, source }, index) =>
      `${index === 0 ? '' : ','}\n${JSON.stringify({ row, code, values, source })}`,
    end: '\n]}\n',
  };
}

async function* writePages(
  file: FailedRowsFile<Row>,
  importId: string,
  context: SignedInContext,
): AsyncGenerator<string, void> {
  yield file.start;
  let written = 0;
  let after = 0;
  for (;;) {
    const rows = await context.read((scope) => readRows(scope, { importId, after }));
    yield rows.map((row, index) => file.write(row, written + index)).join('');
    written += rows.length;
    after = rows.at(-1)?.row ?? after;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  yield file.end;
}

async function readRows(
  scope: ReadScope,
  { importId, after }: { importId: string; after: number },
): Promise<Row[]> {
  const { rows } = await scope.query<RowProblem & { row: number; source: string | null }>(
    `SELECT row_number AS row, code, "values", source FROM contact_import_errors
      WHERE workspace_id = $1 AND import_id = $2 AND row_number > $3 ORDER BY row_number LIMIT $4`,
    [scope.workspaceId, importId, after, ROWS_AT_ONCE],
  );
  return rows.map((row) => ({ ...row, message: describeRowProblem(row.row, row) }));
}
