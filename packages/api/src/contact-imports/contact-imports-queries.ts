import type { contactImport } from '@app/contracts/contact-imports/contact-imports-contract';
import type pg from 'pg';
import type { z } from 'zod';
import type { Fingerprints } from '../platform/erased-people.ts';
import { keepWords } from '../platform/kept-words.ts';
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
  created_at: Date;
  updated_at: Date;
};

const columns =
  'id, file_name, state, reason, phase, received_bytes, total_bytes, is_dry_run, rows, successful, updated, failed, opted_out, created_at, updated_at';

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

export type UndoneImport = { removed: number; restored: number; kept: number };

/**
 * Removes what an import added and puts back what it changed. Contacts that were edited, opted out or wrote since are
 * kept as they are. Null when there is nothing to take back.
 */
export async function undoImport(
  client: pg.PoolClient,
  workspaceId: string,
  { importId, secrets, at }: { importId: string; secrets: Fingerprints; at: Date },
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
  // An opt-out from before the import came with it, and stays with the number.
  const untouched = `workspace_id = $1 AND import_id = $2 AND version = 1 AND last_message_at IS NULL
    AND (opted_out_at IS NULL OR opted_out_at <= created_at)`;
  const { rows: speaking } = await client.query<{ id: string }>(
    `SELECT id FROM contacts c WHERE ${untouched} AND (EXISTS (SELECT FROM contact_consents WHERE contact_id = c.id)
        OR EXISTS (SELECT FROM marketing_holds WHERE contact_id = c.id)) ORDER BY id FOR UPDATE`,
    [workspaceId, importId],
  );
  await keepWords(client, secrets, { workspaceId, contactIds: speaking.map(({ id }) => id) });
  const removed = await client.query(`DELETE FROM contacts WHERE ${untouched}`, [workspaceId, importId]);
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
    total: row.successful + row.failed,
    createdAt: row.created_at.toISOString(),
  };
}
