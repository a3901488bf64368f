import type { PersonData } from '../../platform/person-data/person-data.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import {
  endOfArchiveImport,
  keyOfBefore,
  keyOfArchiveImport,
  SILENT_FOR_MS,
  type StoredArchiveImport,
} from './archive-import-rows.ts';
import { removeStored } from './store-files.ts';

const AT_ONCE = 100;
const DAYS_KNOWN = 90;
const DAY_MS = 86_400_000;

/** No act is at work on one of the workspace, nor the import that it is of. */
const IDLE = `NOT EXISTS (SELECT FROM operations a WHERE a.workspace_id = r.workspace_id
    AND (a.kind IN ('archive-check', 'archive-replacement') OR (r.of_import AND a.id = r.id)) AND a.state NOT IN ('cancelled', 'done', 'failed'))`;

/** What earlier runs of an act left in the store: files that no row speaks of, and a copy of before that was never kept. With a run: of that one alone. */
export async function removeLeftovers(
  parts: Pick<ApiDependencies, 'mediaStore' | 'db' | 'clock' | 'facts' | 'logger'>,
  reading: StoredArchiveImport,
  ofRun: number | null = null,
): Promise<void> {
  const {
    id,
    workspace_id: workspaceId,
    stored_run: run,
    stored_files: files,
    before_run: beforeRun,
  } = reading;
  const isMeant = (one: number) => ofRun === null || one === ofRun;
  if (files > 0 && isMeant(run)) {
    await removeStored(parts, { workspaceId, readingId: id }, { run, files });
    await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      client.query(
        'UPDATE archive_imports SET stored_files = 0 WHERE workspace_id = $1 AND id = $2 AND stored_run = $3',
        [workspaceId, id, run],
      ),
    );
  }
  if (beforeRun !== null && reading.before_bytes === null && isMeant(beforeRun)) {
    await parts.mediaStore.remove(keyOfBefore(workspaceId, id, beforeRun));
    await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
      client.query(
        `UPDATE archive_imports SET before_run = NULL
          WHERE workspace_id = $1 AND id = $2 AND before_run = $3 AND before_bytes IS NULL`,
        [workspaceId, id, beforeRun],
      ),
    );
  }
}

/** Takes away what nobody comes for any more: files that came, copies of before whose time is over, and what dead processes left. */
export async function tidyArchiveImports(parts: ApiDependencies): Promise<void> {
  const now = parts.clock();
  const due = await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `UPDATE archive_imports r SET state = 'over'
        WHERE ((state = 'here' AND touched_at < $1) OR (state = 'receiving' AND touched_at < $2)) AND ${IDLE}`,
      [endOfArchiveImport(now), new Date(now.getTime() - SILENT_FOR_MS)],
    );
    const { rows } = await client.query<StoredArchiveImport>(
      `SELECT * FROM archive_imports r WHERE ${IDLE} AND (state = 'over' AND (bytes > 0 OR replaced_at IS NULL)
          OR stored_files > 0 OR (before_run IS NOT NULL AND before_bytes IS NULL)
          OR (before_bytes IS NOT NULL AND (undone_at IS NOT NULL OR undoable_until <= $1))) LIMIT ${AT_ONCE}`,
      [now],
    );
    return rows;
  });
  for (const reading of due) {
    const { id, workspace_id: workspaceId } = reading;
    await removeLeftovers(parts, reading);
    // Also what attempts before the last one kept when their process died.
    if (reading.state === 'over')
      for (let attempt = 0; attempt <= reading.attempt; attempt += 1)
        await parts.mediaStore.remove(keyOfArchiveImport(workspaceId, id, attempt));
    const isBeforeOver =
      reading.before_bytes !== null && (reading.undone_at !== null || reading.undoable_until! <= now);
    if (isBeforeOver) await parts.mediaStore.remove(keyOfBefore(workspaceId, id, reading.before_run ?? 0));
    await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
      await client.query(
        `UPDATE archive_imports SET bytes = CASE WHEN state = 'over' THEN 0 ELSE bytes END,
                before_bytes = CASE WHEN $3 THEN NULL ELSE before_bytes END, before_sealed = CASE WHEN $3 THEN NULL ELSE before_sealed END,
                before_run = CASE WHEN $3 THEN NULL ELSE before_run END
          WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id, isBeforeOver],
      );
      await client.query(
        `DELETE FROM archive_imports WHERE workspace_id = $1 AND id = $2 AND state = 'over' AND replaced_at IS NULL`,
        [workspaceId, id],
      );
    });
  }
}

/** They are known as long as their acts. */
export async function deleteArchiveImports(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query(
      `DELETE FROM archive_imports WHERE state = 'over' AND bytes = 0 AND before_bytes IS NULL AND stored_files = 0 AND created_at < $1`,
      [new Date(parts.clock().getTime() - DAYS_KNOWN * DAY_MS)],
    ),
  );
}

/** A copy of before is one of the person too, and goes. The file that came holds whoever it holds: reading it in leaves out who was erased. */
export const archiveImportsPersonData: PersonData = {
  tables: {
    archive_imports: { leftOut: 'files with copies of what stands in the other sections, for a week' },
  },
  async erase(scope) {
    await scope.query(
      `UPDATE archive_imports SET undoable_until = least(undoable_until, $2) WHERE workspace_id = $1 AND before_bytes IS NOT NULL`,
      [scope.workspaceId, scope.clock()],
    );
  },
  ...{ merge: null, unmerge: null },
};
