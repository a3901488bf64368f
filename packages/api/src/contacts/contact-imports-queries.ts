import type { contactImport } from '@app/contracts/contacts/contacts-contract';
import type pg from 'pg';
import type { z } from 'zod';
import type { ImportProgress } from './run-import.ts';

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
  created_at: Date;
  updated_at: Date;
};

const columns =
  'id, file_name, state, reason, phase, received_bytes, total_bytes, is_dry_run, rows, successful, updated, failed, created_at, updated_at';

/** Without a sign of life for this long, the process that ran an import is gone. */
const SILENT_FOR_MS = 60_000;
const LOST =
  'The server stopped before the import was complete. Nothing was imported; please import the file again.';

export async function listImports(client: pg.PoolClient, workspaceId: string, now: Date) {
  const { rows } = await client.query<ImportRow>(
    `SELECT ${columns} FROM contact_imports WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT 10`,
    [workspaceId],
  );
  return rows.map((row) => presentImport(row, now));
}

export async function findImport(client: pg.PoolClient, workspaceId: string, importId: string, now: Date) {
  const { rows } = await client.query<ImportRow>(
    `SELECT ${columns} FROM contact_imports WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, importId],
  );
  return rows[0] ? presentImport(rows[0], now) : null;
}

export async function cancelImport(
  client: pg.PoolClient,
  workspaceId: string,
  importId: string,
): Promise<void> {
  await client.query(
    `UPDATE contact_imports SET state = 'cancelling' WHERE workspace_id = $1 AND id = $2 AND state = 'running'`,
    [workspaceId, importId],
  );
}

/** False when an import of this id was begun before. */
export async function beginImport(
  client: pg.PoolClient,
  begun: {
    importId: string;
    workspaceId: string;
    userId: string;
    fileName: string;
    totalBytes: number | null;
    isDryRun: boolean;
    at: Date;
  },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO contact_imports (id, workspace_id, user_id, file_name, total_bytes, is_dry_run, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING`,
    [
      begun.importId,
      begun.workspaceId,
      begun.userId,
      begun.fileName,
      begun.totalBytes,
      begun.isDryRun,
      begun.at,
    ],
  );
  return rowCount === 1;
}

/** Shows the figures to whoever asks; true when somebody cancelled the import meanwhile. */
export async function reportProgress(
  client: pg.PoolClient,
  workspaceId: string,
  importId: string,
  { phase, receivedBytes, rows, successful, failed }: ImportProgress,
  at: Date,
): Promise<boolean> {
  const { rows: states } = await client.query<{ state: string }>(
    `UPDATE contact_imports SET phase = $3, received_bytes = $4, rows = $5, successful = $6, failed = $7, updated_at = $8
      WHERE workspace_id = $1 AND id = $2 AND state IN ('running', 'cancelling') RETURNING state`,
    [workspaceId, importId, phase, receivedBytes, rows, successful, failed, at],
  );
  return states[0]?.state === 'cancelling';
}

/** An import that added nothing keeps no row errors: its reason stands for all of them. */
export async function endImport(
  client: pg.PoolClient,
  workspaceId: string,
  importId: string,
  { state, reason }: { state: 'failed' | 'cancelled'; reason: string | null },
  at: Date,
): Promise<void> {
  await client.query('DELETE FROM contact_import_errors WHERE workspace_id = $1 AND import_id = $2', [
    workspaceId,
    importId,
  ]);
  await client.query(
    `UPDATE contact_imports SET state = $3, reason = $4, successful = 0, updated = 0, failed = 0, updated_at = $5
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, importId, state, reason, at],
  );
}

export type UndoneImport = { removed: number; restored: number; kept: number };

/**
 * Removes what an import added and puts back what it changed. Contacts that were edited, opted out or wrote since are
 * kept as they are. Null when there is nothing to take back.
 */
export async function undoImport(
  client: pg.PoolClient,
  workspaceId: string,
  importId: string,
  at: Date,
): Promise<UndoneImport | null> {
  const { rowCount } = await client.query(
    `UPDATE contact_imports SET state = 'undone', updated_at = $3
      WHERE workspace_id = $1 AND id = $2 AND state = 'done' AND NOT is_dry_run AND successful > 0`,
    [workspaceId, importId, at],
  );
  if (rowCount === 0) return null;
  const restored = await client.query(
    `UPDATE contacts c SET name = k.name, email = k.email, tags = k.tags, status = k.status,
            custom_values = k.custom_values, version = c.version + 1, updated_at = $3
       FROM contact_import_changes k
      WHERE k.workspace_id = $1 AND k.import_id = $2 AND c.workspace_id = $1 AND c.id = k.contact_id AND c.version = k.version`,
    [workspaceId, importId, at],
  );
  const removed = await client.query(
    `DELETE FROM contacts WHERE workspace_id = $1 AND import_id = $2 AND version = 1 AND last_message_at IS NULL
        AND opted_out_at IS NULL`,
    [workspaceId, importId],
  );
  const { rows } = await client.query<{ kept: number }>(
    `SELECT (SELECT count(*) FROM contacts WHERE workspace_id = $1 AND import_id = $2)::int
          + (SELECT count(*) FROM contact_import_changes WHERE workspace_id = $1 AND import_id = $2)::int - $3::int AS kept`,
    [workspaceId, importId, restored.rowCount ?? 0],
  );
  await client.query('DELETE FROM contact_import_changes WHERE workspace_id = $1 AND import_id = $2', [
    workspaceId,
    importId,
  ]);
  return { removed: removed.rowCount ?? 0, restored: restored.rowCount ?? 0, kept: rows[0]?.kept ?? 0 };
}

function presentImport(row: ImportRow, now: Date): ContactImport {
  const isRunning = row.state === 'running' || row.state === 'cancelling';
  const isLost = isRunning && now.getTime() - row.updated_at.getTime() > SILENT_FOR_MS;
  return {
    id: row.id,
    fileName: row.file_name,
    state: isLost ? 'failed' : row.state,
    reason: isLost ? LOST : row.reason,
    phase: row.phase,
    receivedBytes: Number(row.received_bytes),
    totalBytes: row.total_bytes === null ? null : Number(row.total_bytes),
    rows: row.rows,
    isDryRun: row.is_dry_run,
    successful: row.successful,
    updated: row.updated,
    failed: row.failed,
    total: row.successful + row.failed,
    createdAt: row.created_at.toISOString(),
  };
}
