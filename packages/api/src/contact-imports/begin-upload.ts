import { advisoryLocks } from '@app/database/advisory-locks';
import { isOver, overStates } from '@app/domain/long-acts/long-act-state';
import { forgetParts } from '../platform/long-acts/act-parts.ts';
import { endAct } from '../platform/long-acts/end-act.ts';
import {
  beginAct,
  beginAnew,
  findAct,
  findSilentInAllWorkspaces,
  lockAct,
} from '../platform/long-acts/long-act-rows.ts';
import type { ApiDependencies, SignedInContext } from '../platform/request-context.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { contactImport, RECEIVING } from './import-act.ts';
import { openRecord } from './import-record.ts';
import type { ImportChoices } from './import-run.ts';

/** Without a sign of life for this long, the process that received a file is gone, and the file with it. */
const SILENT_FOR_MS = 60_000;

/** One upload of a file; an id whose upload failed or was lost begins anew, with another run. */
export type Upload = { importId: string; run: number; choices: ImportChoices };

export type NewUpload = { importId: string; fileName: string; choices: ImportChoices; length: number | null };

/** Each keeps its file until its turn has come. */
export const MOST_WAITING = 10;

/** An import of this id goes on or is done, or too many of the workspace wait. */
export async function beginUpload(
  context: SignedInContext,
  { importId, fileName, choices, length }: NewUpload,
): Promise<Upload | 'contact_import_begun' | 'contact_imports_waiting'> {
  const { ipAddress, userAgent } = context;
  const parts = { ...context, origin: { ipAddress, userAgent } };
  const wish = { choices };
  const act = {
    ...{ id: importId, kind: contactImport.name, name: fileName, phase: RECEIVING },
    ...{ total: length, wish },
  };
  return context.change(async (scope) => {
    if (await isQueueFull(scope, importId)) return 'contact_imports_waiting';
    if (!(await beginAct(scope, parts, act))) {
      await settleLostUpload(scope, importId);
      if (!(await beginAnew(scope, parts, act))) return 'contact_import_begun';
      await forgetParts(scope, { workspaceId: scope.workspaceId, actId: importId });
    }
    await openRecord(scope, { importId, fileName, isDryRun: choices.isDryRun });
    const begun = await findAct(scope, importId);
    return begun ? { importId, run: begun.run, choices } : 'contact_import_begun';
  });
}

/** One after the other, so that what begins at the same time counts. */
async function isQueueFull(scope: WorkspaceScope, importId: string): Promise<boolean> {
  await scope.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
    scope.workspaceId,
    advisoryLocks.importQueue,
  ]);
  const { rows } = await scope.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM long_acts
      WHERE workspace_id = $1 AND kind = $2 AND state <> ALL ($3) AND id <> $4`,
    [scope.workspaceId, contactImport.name, overStates, importId],
  );
  return (rows[0]?.waiting ?? 0) >= MOST_WAITING;
}

/** Ends uploads whose process is gone: nobody can go on with a file that is not here. */
export async function settleLostUploads(parts: ApiDependencies): Promise<void> {
  const before = new Date(parts.clock().getTime() - SILENT_FOR_MS);
  const silent = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    findSilentInAllWorkspaces(client, before, RECEIVING),
  );
  for (const { id, workspace_id: workspaceId } of silent)
    await changeAsSystem(parts, 'upkeep', workspaceId, (scope) => settleLostUpload(scope, id));
}

async function settleLostUpload(scope: WorkspaceScope, importId: string): Promise<void> {
  const act = await lockAct(scope, importId);
  if (!act || act.phase !== RECEIVING || isOver(act.state)) return;
  if (scope.clock().getTime() - act.heartbeat_at.getTime() < SILENT_FOR_MS) return;
  const isCancelled = act.state === 'cancelling';
  const failed = { state: 'failed', error: { code: 'upload_lost', values: {} } } as const;
  await endAct(scope, contactImport, act, isCancelled ? { state: 'cancelled' } : failed);
}
