import { changeAcrossWorkspaces, type SystemParts } from '../platform/system-work.ts';

/** Without a sign of life for this long, the process that ran an import is gone. */
const SILENT_FOR_MS = 60_000;
export const LOST =
  'The server stopped before the import was complete. Nothing was imported; please import the file again.';

/** Imports whose last sign of life is older than this are lost. */
export function silentSince(now: Date): Date {
  return new Date(now.getTime() - SILENT_FOR_MS);
}

export function isLost(row: { state: string; updated_at: Date }, now: Date): boolean {
  return (row.state === 'running' || row.state === 'cancelling') && row.updated_at < silentSince(now);
}

/** Ends the imports whose process is gone. One that is being committed at this moment holds its row and is left alone. */
export async function settleLostImports(parts: SystemParts): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client, scopeOf }) => {
    const now = parts.clock();
    const { rows } = await client.query<{ workspace_id: string; id: string }>(
      `WITH lost AS (
         UPDATE contact_imports SET state = 'failed', reason = $1, successful = 0, updated = 0, failed = 0, updated_at = $2
          WHERE id IN (SELECT id FROM contact_imports WHERE state IN ('running', 'cancelling') AND updated_at < $3
                          FOR NO KEY UPDATE SKIP LOCKED)
         RETURNING workspace_id, id),
       errors AS (DELETE FROM contact_import_errors e USING lost WHERE e.workspace_id = lost.workspace_id AND e.import_id = lost.id)
       SELECT workspace_id, id FROM lost`,
      [LOST, now, silentSince(now)],
    );
    for (const { workspace_id: workspaceId, id } of rows)
      await scopeOf(workspaceId).tell({
        type: 'contact_import.ended',
        subject: id,
        values: { state: 'failed' },
      });
  });
}

/** Rows that were not imported hold what their file said of people: they are kept for a while to be mended, and no longer. */
export async function forgetFailedRows(parts: SystemParts): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `WITH due AS (UPDATE contact_imports SET rows_kept_until = NULL, file_columns = NULL WHERE rows_kept_until < $1
                    RETURNING workspace_id, id)
       UPDATE contact_import_errors e SET source = NULL FROM due WHERE e.workspace_id = due.workspace_id AND e.import_id = due.id`,
      [parts.clock()],
    );
  });
}
