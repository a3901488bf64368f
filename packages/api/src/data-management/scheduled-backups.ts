import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import type { InstallationBackups } from '../platform/backups/installation-backups.ts';
import { every } from '../platform/jobs/define-job.ts';
import { StorageFull } from '../platform/media-store.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';

const HOUR_MS = 3_600_000;
const MOST_SECONDS = 12 * 3_600;
/** One that failed is tried again after that, or sooner where they are due sooner. */
const AGAIN_AFTER_HOURS = 1;
/** One a day is restored to try it, also where days are a little short. */
const RESTORED_EVERY_HOURS = 20;
/** Of one that took longer than it may, or whose process was lost for as long. */
const OVERDUE = 'timed_out';
/** Of failures; whole ones are told as long as they lie there. */
const FAILURES_TOLD = 20;

/** Looks every ten minutes whether a backup is due; nothing happens where the operator has named no place. */
export const backupSchedule = every(10 * 60, {
  name: 'installation-backup',
  timeoutSeconds: MOST_SECONDS,
  afterStartSeconds: 60,
  run: (parts, signal) => takeDueBackup(parts, signal),
});

/** Takes one if it is due, verifies it, and removes those that are too many. A failure is kept and told, and tried again later. */
export async function takeDueBackup(
  parts: ApiDependencies,
  signal: AbortSignal,
): Promise<{ state: 'off' | 'early' | 'done' | 'failed' }> {
  const { backups, clock, logger } = parts;
  if (!backups) return { state: 'off' };
  const begun = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    begin(client, clock(), backups),
  );
  if (!begun) return { state: 'early' };
  const { id, fileName, hadFailed, isRestoreDue, toTell } = begun;
  await tellFailure(parts, toTell, OVERDUE);
  await removeLost(parts, backups);
  try {
    const bytes = await backups.take(fileName, signal);
    const { isRestored } = await backups.verify(fileName, { bytes, restores: isRestoreDue, signal });
    const { rowCount } = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      client.query(
        `UPDATE installation_backups SET state = 'done', is_verified = true, is_restored = $4, bytes = $2, ended_at = $3
          WHERE id = $1 AND state = 'running'`,
        [id, bytes, clock(), isRestored],
      ),
    );
    if (rowCount !== 1) throw new Error('Another process held this backup for dead, and has begun its own.');
  } catch (error) {
    // A process that is stopped begins anew; what takes too long has failed.
    const isOverdue = signal.aborted && isTimeout(signal.reason);
    if (!isOverdue) signal.throwIfAborted();
    logger.error({ err: error }, 'a backup of the installation failed');
    const code = isOverdue ? OVERDUE : error instanceof StorageFull ? 'storage_full' : 'failed';
    const workspaceIds = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      keepFailure(client, { id, fileName, code, at: clock() }),
    );
    // One that cannot be read is none.
    await removeLost(parts, backups);
    if (!hadFailed) await tellFailure(parts, workspaceIds, code);
    return { state: 'failed' };
  }
  await removeSurplus(parts, backups);
  return { state: 'done' };
}

/** Of `AbortSignal.timeout`. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

async function tellFailure(
  parts: ApiDependencies,
  workspaceIds: readonly string[],
  code: string,
): Promise<void> {
  const rows = workspaceIds.map((id) => ({ workspace_id: id }));
  await sweepEach(parts, rows, ({ workspace_id: workspaceId }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
      scope.emit({ type: 'data.backup_failed', subject: workspaceId, values: { code } }),
    ),
  );
}

/** `toTell`: the workspaces that have not heard yet that the one before came to no end. */
type Begun = {
  id: string;
  fileName: string;
  hadFailed: boolean;
  isRestoreDue: boolean;
  toTell: string[];
};

/** Null while none is due. One process at a time does this: what is said to run has lost its process, or hangs, and may have left a file. */
async function begin(
  client: SqlQueries,
  now: Date,
  { everyHours }: Pick<InstallationBackups, 'everyHours'>,
): Promise<Begun | null> {
  const ended = await client.query<{ error_code: string }>(
    `UPDATE installation_backups SET state = 'failed', ended_at = $1,
            error_code = CASE WHEN started_at <= $1::timestamptz - make_interval(secs => ${MOST_SECONDS}) THEN '${OVERDUE}' ELSE 'interrupted' END
      WHERE state = 'running' RETURNING error_code`,
    [now],
  );
  const { rows } = await client.query<{
    state: string;
    error_code: string | null;
    started_at: Date;
  }>('SELECT state, error_code, started_at FROM installation_backups ORDER BY started_at DESC LIMIT 2');
  const [last, before] = rows;
  const isInterrupted = last?.error_code === 'interrupted';
  const hours = last?.state === 'failed' ? Math.min(AGAIN_AFTER_HOURS, everyHours) : everyHours;
  if (last && !isInterrupted && now.getTime() - last.started_at.getTime() < hours * HOUR_MS) return null;
  const id = newId(now.getTime());
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '-');
  const fileName = `${moment}-${id.slice(-4)}.backup`;
  await client.query(
    `INSERT INTO installation_backups (id, file_name, state, started_at) VALUES ($1, $2, 'running', $3)`,
    [id, fileName, now],
  );
  // However often they are taken: the database bears it beside its work.
  const restored = await client.query(
    'SELECT FROM installation_backups WHERE is_restored AND started_at > $1 LIMIT 1',
    [new Date(now.getTime() - RESTORED_EVERY_HOURS * HOUR_MS)],
  );
  const isNews = ended.rows.some((row) => row.error_code === OVERDUE) && !isFailure(before);
  return {
    id,
    fileName,
    hadFailed: isFailure(last),
    isRestoreDue: restored.rowCount === 0,
    toTell: isNews ? await listWorkspaces(client) : [],
  };
}

/** Answers with whom to tell: nobody of one that another process held for dead, whose file came there after it was removed. */
async function keepFailure(
  client: SqlQueries,
  { id, fileName, code, at }: { id: string; fileName: string; code: string; at: Date },
): Promise<string[]> {
  const { rowCount } = await client.query(
    `UPDATE installation_backups SET state = 'failed', error_code = $2, ended_at = $3 WHERE id = $1 AND state = 'running'`,
    [id, code, at],
  );
  if (rowCount !== 1) {
    await client.query('UPDATE installation_backups SET file_name = $2 WHERE id = $1', [id, fileName]);
    return [];
  }
  await client.query(
    `DELETE FROM installation_backups WHERE state = 'failed' AND file_name IS NULL AND id NOT IN (
       SELECT id FROM installation_backups WHERE state = 'failed' ORDER BY started_at DESC LIMIT ${FAILURES_TOLD})`,
  );
  return listWorkspaces(client);
}

async function listWorkspaces(client: SqlQueries): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM workspaces ORDER BY id');
  return rows.map((row) => row.id);
}

/** One that lost its process is none. */
function isFailure(backup: { state: string; error_code: string | null } | undefined): boolean {
  return backup?.state === 'failed' && backup.error_code !== 'interrupted';
}

/** What lies there of those that failed: nobody counts it among the whole ones. What cannot be removed now is tried again with the next one. */
async function removeLost(parts: ApiDependencies, backups: InstallationBackups): Promise<void> {
  const { rows } = await parts.db.systemPool.query<{
    id: string;
    file_name: string;
  }>(`SELECT id, file_name FROM installation_backups WHERE state = 'failed' AND file_name IS NOT NULL`);
  for (const { id, file_name: fileName } of rows)
    try {
      await backups.remove(fileName);
      await parts.db.systemPool.query('UPDATE installation_backups SET file_name = NULL WHERE id = $1', [id]);
    } catch (error) {
      parts.logger.warn({ err: error, fileName }, 'what a failed backup left could not be removed');
    }
}

/** The file first: a row that stays is tried again with the next one. */
async function removeSurplus(parts: ApiDependencies, backups: InstallationBackups): Promise<void> {
  const surplus = await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    const { rows } = await client.query<{ id: string; file_name: string }>(
      `SELECT id, file_name FROM installation_backups WHERE state = 'done' ORDER BY started_at DESC OFFSET $1`,
      [backups.keep],
    );
    return rows;
  });
  for (const { id, file_name: fileName } of surplus) {
    await backups.remove(fileName);
    await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      client.query('DELETE FROM installation_backups WHERE id = $1', [id]),
    );
  }
}

type Row = {
  id: string;
  state: 'running' | 'done' | 'failed';
  is_verified: boolean;
  is_restored: boolean;
  bytes: string;
  error_code: string | null;
  started_at: Date;
};

/** The newest ones, whatever came of them. */
export async function listBackups({ query }: SqlQueries) {
  const { rows } = await query<Row>(
    `SELECT id, state, is_verified, is_restored, bytes, error_code, started_at FROM installation_backups ORDER BY started_at DESC LIMIT 5`,
  );
  return rows.map((row) => ({
    ...{
      id: row.id,
      state: row.state,
      isVerified: row.is_verified,
      isRestored: row.is_restored,
      bytes: Number(row.bytes),
    },
    ...{ error: row.error_code, startedAt: row.started_at.toISOString() },
  }));
}
