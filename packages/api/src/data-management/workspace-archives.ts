import type { archivesContract } from '@app/contracts/data-management/archives-contract';
import { advisoryLocks } from '@app/database/advisory-locks';
import { DAYS_ARCHIVE_KEPT, MOST_ARCHIVES } from '@app/domain/data-management/workspace-archive';
import type { Taken } from '@app/database/backup/take-backup';
import type { InferContractRouterOutputs } from '@orpc/contract';
import type { PersonData } from '../platform/person-data/person-data.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type Archive = InferContractRouterOutputs<typeof archivesContract>['listArchives']['items'][number];
type Row = {
  id: string;
  run: number;
  bytes: string;
  missing_files: number;
  locked_secrets: number;
  with_secrets: boolean;
  is_encrypted: boolean;
  by: string | null;
  created_at: Date;
  kept_until: Date;
};

/** What rows speak of and is not in it: files that the store has lost, and secrets that the key of the installation does not open. */
export type Gaps = Pick<Taken, 'missingFiles' | 'lockedSecrets'>;

const DAY_MS = 86_400_000;
const AT_ONCE = 100;

const SELECT = `SELECT w.id, w.run, w.bytes, w.missing_files, w.locked_secrets, w.with_secrets, w.is_encrypted, w.created_at, w.kept_until, a.user_name AS by
  FROM workspace_archives w LEFT JOIN operations a ON a.workspace_id = w.workspace_id AND a.id = w.id
 WHERE w.workspace_id = $1 AND w.bytes IS NOT NULL AND w.kept_until > $2`;

/** Where its bytes lie. Whoever took it up from a dead process writes under a key of their own. */
export function keyOfArchive(workspaceId: string, id: string, run: number): string {
  return `${workspaceId}/archive-${id}-${run}`;
}

/** One at a time is written, so that the number of those that lie ready holds too. */
export async function openArchive(
  scope: WorkspaceScope,
  { id, withSecrets, isEncrypted }: { id: string; withSecrets: boolean; isEncrypted: boolean },
): Promise<'opened' | 'archive_under_way' | 'too_many_archives'> {
  const { rowCount } = await scope.query(
    `INSERT INTO workspace_archives (id, workspace_id, with_secrets, is_encrypted, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id) WHERE kept_until IS NULL DO NOTHING`,
    [id, scope.workspaceId, withSecrets, isEncrypted, scope.clock()],
  );
  if (rowCount === 0) return 'archive_under_way';
  return (await listArchives(scope)).length >= MOST_ARCHIVES ? 'too_many_archives' : 'opened';
}

/**
 * Before it reads: whoever is erased from now on may be in it, and makes it stale. Those who are erasing somebody now may have looked before the
 * row was there, so they are waited for: what is read behind this is without that person. False when there is no such row.
 */
export async function beginReading(scope: WorkspaceScope, id: string, run: number): Promise<boolean> {
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.readWorkspace}))`, [
    scope.workspaceId,
  ]);
  const { rowCount } = await scope.query(
    'UPDATE workspace_archives SET run = $3, is_stale = false WHERE workspace_id = $1 AND id = $2 AND kept_until IS NULL',
    [scope.workspaceId, id, run],
  );
  return rowCount === 1;
}

/** It is whole. False where somebody was erased while it was read: then it is read anew. */
export async function keepArchive(
  scope: WorkspaceScope,
  id: string,
  { bytes, missingFiles, lockedSecrets }: { bytes: number } & Gaps,
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE workspace_archives SET bytes = $3, kept_until = $4, missing_files = $5, locked_secrets = $6
      WHERE workspace_id = $1 AND id = $2 AND kept_until IS NULL AND NOT is_stale`,
    [
      ...[scope.workspaceId, id, bytes, new Date(scope.clock().getTime() + DAYS_ARCHIVE_KEPT * DAY_MS)],
      ...[missingFiles, lockedSecrets],
    ],
  );
  return rowCount === 1;
}

/** Whether the row names what this run wrote. */
export async function isArchiveKept(scope: ReadScope, id: string, run: number): Promise<boolean> {
  const { rowCount } = await scope.query(
    'SELECT FROM workspace_archives WHERE workspace_id = $1 AND id = $2 AND run = $3 AND bytes IS NOT NULL',
    [scope.workspaceId, id, run],
  );
  return rowCount === 1;
}

/**
 * Ends the time of a complete archive; upkeep deletes its bytes. False when there is none. Emits `data.archive_deleted`.
 */
export async function endArchive(scope: WorkspaceScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE workspace_archives SET kept_until = $3
      WHERE workspace_id = $1 AND id = $2 AND bytes IS NOT NULL AND kept_until > $3`,
    [scope.workspaceId, id, scope.clock()],
  );
  if (rowCount !== 1) return false;
  await scope.emit({ type: 'data.archive_deleted', subject: scope.workspaceId, values: {} });
  return true;
}

/** Emits `data.archive_downloaded`. */
export async function recordDownload(
  scope: WorkspaceScope,
  { withSecrets }: Pick<StoredArchive, 'withSecrets'>,
): Promise<void> {
  await scope.emit({
    ...{ type: 'data.archive_downloaded', subject: scope.workspaceId },
    values: { withSecrets },
  });
}

/** The same for an archive that failed. */
export async function dropArchive(scope: WorkspaceScope, id: string): Promise<void> {
  await scope.query(
    'UPDATE workspace_archives SET kept_until = $3 WHERE workspace_id = $1 AND id = $2 AND kept_until IS NULL',
    [scope.workspaceId, id, scope.clock()],
  );
}

export async function listArchives({ query, workspaceId, clock }: ReadScope): Promise<Archive[]> {
  const { rows } = await query<Row>(`${SELECT} ORDER BY w.created_at DESC`, [workspaceId, clock()]);
  return rows.map((row) => ({
    ...{ id: row.id, bytes: Number(row.bytes), by: row.by ?? '' },
    ...{ missingFiles: row.missing_files, lockedSecrets: row.locked_secrets },
    ...{ withSecrets: row.with_secrets, isEncrypted: row.is_encrypted },
    createdAt: row.created_at.toISOString(),
    keptUntil: row.kept_until.toISOString(),
  }));
}

export type StoredArchive = {
  key: string;
  bytes: number;
  withSecrets: boolean;
  createdAt: Date;
};

export async function findArchive(
  { query, workspaceId, clock }: ReadScope,
  id: string,
): Promise<StoredArchive | null> {
  const { rows } = await query<Row>(`${SELECT} AND w.id = $3`, [workspaceId, clock(), id]);
  const [row] = rows;
  return row
    ? {
        ...{
          key: keyOfArchive(workspaceId, id, row.run),
          bytes: Number(row.bytes),
        },
        ...{ withSecrets: row.with_secrets, createdAt: row.created_at },
      }
    : null;
}

type Due = { id: string; workspace_id: string; run: number };

/** The bytes first, of all runs: a row that stays is tried again. */
export async function removeEndedArchives(parts: ApiDependencies): Promise<void> {
  const due = await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    const { rows } = await client.query<Due>(
      `SELECT id, workspace_id, run FROM workspace_archives WHERE kept_until <= $1 ORDER BY kept_until LIMIT ${AT_ONCE}`,
      [parts.clock()],
    );
    return rows;
  });
  await sweepEach(parts, due, async ({ id, workspace_id: workspaceId, run: last }) => {
    for (let run = last; run > 0; run -= 1) await parts.mediaStore.remove(keyOfArchive(workspaceId, id, run));
    await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      client.query('DELETE FROM workspace_archives WHERE id = $1', [id]),
    );
  });
}

/** A copy of everything is one of the person too: those that lie ready go, and one that is being written is written anew. */
export const archivesPersonData: PersonData = {
  tables: {
    workspace_archives: {
      leftOut: 'files with copies of what stands in the other sections, for a week',
    },
  },
  async erase(scope) {
    // Until the commit. Two who erase do not wait for each other.
    await scope.query(
      `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, ${advisoryLocks.readWorkspace}))`,
      [scope.workspaceId],
    );
    await scope.query(
      `UPDATE workspace_archives SET is_stale = true, kept_until = CASE WHEN kept_until IS NOT NULL THEN least(kept_until, $2) END
        WHERE workspace_id = $1`,
      [scope.workspaceId, scope.clock()],
    );
  },
  ...{ merge: null, unmerge: null },
};
