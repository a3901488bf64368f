import type { archiveReading, archiveReport } from '@app/contracts/data-management/archive-imports-contract';
import type { ArchiveHead } from '@app/database/backup/read-in/open-archive';
import {
  DAYS_ARCHIVE_IMPORT_UNDOABLE,
  HOURS_ARCHIVE_IMPORT_STORED,
} from '@app/domain/data-management/archive-import';
import { actorOf } from '@app/domain/auth/caller';
import type { z } from 'zod';
import { findOpenOperations } from '../../platform/operations/operation-rows.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type ArchiveImport = z.output<typeof archiveReading>;
export type ArchiveReport = z.output<typeof archiveReport>;

/** A row, as acts need it. */
export type StoredArchiveImport = {
  id: string;
  workspace_id: string;
  file_name: string;
  user_name: string;
  state: 'receiving' | 'here' | 'over';
  touched_at: Date;
  attempt: number;
  bytes: string;
  is_encrypted: boolean;
  taken_at: Date | null;
  report: ArchiveReport | null;
  stored_run: number;
  stored_files: number;
  before_run: number | null;
  before_bytes: string | null;
  before_sealed: string | null;
  replaced_at: Date | null;
  undoable_until: Date | null;
  undone_at: Date | null;
  created_at: Date;
};

/** One of those who received, or receive, the file of a reading. */
export type Attempt = Pick<StoredArchiveImport, 'id' | 'attempt'>;

const HOUR_MS = 3_600_000;
/** Without a sign of life for so long, whoever received it is gone. */
export const SILENT_FOR_MS = 60_000;
const MOST_LISTED = 20;

/** Where the file lies that came, what was here before, and each file that comes of it: no two attempts or runs share a key. */
export const keyOfArchiveImport = (workspaceId: string, id: string, attempt: number): string =>
  `${workspaceId}/reading-${id}${attempt === 0 ? '' : `-${attempt}`}`;
export const keyOfBefore = (workspaceId: string, id: string, run: number): string =>
  `${workspaceId}/before-${id}-${run}`;
export const keyOfFile = (
  workspaceId: string,
  id: string,
  { run, place }: { run: number; place: number },
): string => `${workspaceId}/in-${id}-${run}-${place}`;

/** One file is here at a time: an earlier one that nobody reads goes. Answers with the attempt that receives it; null where somebody sends, looks through or reads in another one. */
export async function openArchiveImport(
  scope: WorkspaceScope,
  { id, fileName }: { id: string; fileName: string },
): Promise<Attempt | 'here' | null> {
  const { workspaceId } = scope;
  await scope.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  const known = await findArchiveImport(scope, id);
  if (known?.state === 'here') return 'here';
  if (known?.state === 'over' || (await hasOpenOperation(scope))) return null;
  const silent = new Date(scope.clock().getTime() - SILENT_FOR_MS);
  await scope.query(
    `UPDATE archive_imports SET state = 'over' WHERE workspace_id = $1 AND (state = 'here' OR (state = 'receiving' AND touched_at < $2))
        AND id <> $3`,
    [workspaceId, silent, id],
  );
  const { rowCount: others } = await scope.query(
    `SELECT FROM archive_imports WHERE workspace_id = $1 AND state <> 'over' AND id <> $2`,
    [workspaceId, id],
  );
  if (others !== 0) return null;
  const { rows } = await scope.query<Attempt>(
    `INSERT INTO archive_imports AS r (id, workspace_id, file_name, user_name, state, touched_at, created_at)
     VALUES ($1, $2, $3, $4, 'receiving', $5, $5)
     ON CONFLICT (workspace_id, id) DO UPDATE SET touched_at = excluded.touched_at, attempt = r.attempt + 1
       WHERE r.state = 'receiving' AND r.touched_at < $6 RETURNING id, attempt`,
    [id, workspaceId, fileName, actorOf(scope.caller).name, scope.clock(), silent],
  );
  return rows[0] ?? null;
}

/** Of a file of data that takes the place of what is here: the copy of before alone, under the id of its act. */
export async function openArchiveImportOfUpload(
  scope: WorkspaceScope,
  { id, fileName }: { id: string; fileName: string },
): Promise<StoredArchiveImport> {
  const { rows } = await scope.query<StoredArchiveImport>(
    `INSERT INTO archive_imports AS r (id, workspace_id, file_name, user_name, state, of_import, touched_at, created_at)
     VALUES ($1, $2, $3, $4, 'over', true, $5, $5)
     ON CONFLICT (workspace_id, id) DO UPDATE SET touched_at = excluded.touched_at WHERE r.of_import RETURNING *`,
    [id, scope.workspaceId, fileName, actorOf(scope.caller).name, scope.clock()],
  );
  if (!rows[0]) throw new Error('The id is that of an archive.');
  return rows[0];
}

/** A sign of life while it arrives. False when it is somebody else's, or nobody's, by now. */
export async function touchArchiveImport(scope: WorkspaceScope, { id, attempt }: Attempt): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE archive_imports SET touched_at = $4 WHERE workspace_id = $1 AND id = $2 AND attempt = $3 AND state = 'receiving'`,
    [scope.workspaceId, id, attempt, scope.clock()],
  );
  return rowCount === 1;
}

/** Its bytes are in the store. False when somebody else took its place meanwhile. */
export async function storeArchiveImport(
  scope: WorkspaceScope,
  { id, attempt }: Attempt,
  { bytes, createdAt, isEncrypted }: ArchiveHead & { bytes: number },
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE archive_imports SET state = 'here', bytes = $4, is_encrypted = $5, taken_at = $6, touched_at = $7
      WHERE workspace_id = $1 AND id = $2 AND attempt = $3 AND state = 'receiving'`,
    [scope.workspaceId, id, attempt, bytes, isEncrypted, createdAt, scope.clock()],
  );
  return rowCount === 1;
}

/** Upkeep takes the bytes away, and the row where nothing came of it. False for what is not there. */
export async function endArchiveImport(scope: WorkspaceScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE archive_imports SET state = 'over' WHERE workspace_id = $1 AND id = $2 AND state <> 'over'`,
    [scope.workspaceId, id],
  );
  return rowCount === 1;
}

/** An attempt to receive it came to nothing; another one, which has taken it over, goes on. */
export async function giveArchiveImportUp(scope: WorkspaceScope, { id, attempt }: Attempt): Promise<void> {
  await scope.query(
    `UPDATE archive_imports SET state = 'over' WHERE workspace_id = $1 AND id = $2 AND attempt = $3 AND state = 'receiving'`,
    [scope.workspaceId, id, attempt],
  );
}

/** Locked until the end of the transaction. */
export async function lockArchiveImport(
  scope: WorkspaceScope,
  id: string,
): Promise<StoredArchiveImport | null> {
  const { rows } = await scope.query<StoredArchiveImport>(
    'SELECT * FROM archive_imports WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [scope.workspaceId, id],
  );
  return rows[0] ?? null;
}

export async function findArchiveImport(scope: ReadScope, id: string): Promise<StoredArchiveImport | null> {
  const { rows } = await scope.query<StoredArchiveImport>(
    'SELECT * FROM archive_imports WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, id],
  );
  return rows[0] ?? null;
}

export async function keepReport(scope: WorkspaceScope, id: string, report: ArchiveReport): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE archive_imports SET report = $3 WHERE workspace_id = $1 AND id = $2 AND state = 'here'`,
    [scope.workspaceId, id, JSON.stringify(report)],
  );
  return rowCount === 1;
}

/** Whether one is looked through, read in or taken back. */
export async function hasOpenOperation(scope: ReadScope): Promise<boolean> {
  const open = [
    ...(await findOpenOperations(scope, 'archive-check')),
    ...(await findOpenOperations(scope, 'archive-replacement')),
  ];
  return open.length > 0;
}

/** What was here before it lies ready; `$2` is now. */
export const UNDOABLE = 'before_bytes IS NOT NULL AND undone_at IS NULL AND undoable_until > $2';

/**
 * Those whose file is here, and those that were read in; of files of data whose record went with what was here since (by another replacement, by Clear All,
 * by taking back) those that can still be taken back, so that no copy lies where nobody sees it.
 */
export async function listArchiveImports(scope: ReadScope): Promise<ArchiveImport[]> {
  const { rows } = await scope.query<StoredArchiveImport>(
    `WITH shown AS (
       SELECT * FROM archive_imports r WHERE workspace_id = $1 AND (state <> 'over' OR replaced_at IS NOT NULL)
          AND (NOT of_import OR (${UNDOABLE} AND NOT EXISTS (SELECT FROM data_imports i WHERE i.workspace_id = $1 AND i.id = r.id)))
     )
     SELECT * FROM shown WHERE (${UNDOABLE}) OR id IN (SELECT id FROM shown ORDER BY created_at DESC LIMIT ${MOST_LISTED})
      ORDER BY created_at DESC`,
    [scope.workspaceId, scope.clock()],
  );
  return rows.map((row) => presentArchiveImport(row, scope.clock()));
}

export function presentArchiveImport(row: StoredArchiveImport, now: Date): ArchiveImport {
  const isUndoable = row.before_bytes !== null && row.undone_at === null && row.undoable_until! > now;
  return {
    ...{ id: row.id, fileName: row.file_name, state: row.state, bytes: Number(row.bytes) },
    ...{ isEncrypted: row.is_encrypted, by: row.user_name, report: row.report },
    takenAt: row.taken_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    replacedAt: row.replaced_at?.toISOString() ?? null,
    undoableUntil: isUndoable ? row.undoable_until!.toISOString() : null,
    undoneAt: row.undone_at?.toISOString() ?? null,
  };
}

/** When the file that came goes, and what was here before. */
export const endOfArchiveImport = (now: Date): Date =>
  new Date(now.getTime() - HOURS_ARCHIVE_IMPORT_STORED * HOUR_MS);
export const endOfUndo = (now: Date): Date =>
  new Date(now.getTime() + DAYS_ARCHIVE_IMPORT_UNDOABLE * 24 * HOUR_MS);
