import { advisoryLocks } from '@app/database/advisory-locks';
import { isOver, overStates } from '@app/domain/operations/operation-state';
import { deleteParts } from '../platform/operations/operation-parts.ts';
import { endOperation } from '../platform/operations/end-operation.ts';
import {
  beginOperation,
  beginAnew,
  findOperation,
  findSilentInAllWorkspaces,
  lockOperation,
} from '../platform/operations/operation-rows.ts';
import type { ApiDependencies, SignedInContext } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { OperationKind } from '../platform/operations/operation-kind.ts';
import { RECEIVING } from './import-operation.ts';
import { openRecord } from './import-record.ts';

/** Without a sign of life for this long, the process that received a file is gone, and the file with it. */
const SILENT_FOR_MS = 60_000;

/** One upload of a file; an id whose upload failed or was lost begins anew, with another run. */
export type Upload = { importId: string; run: number };

export type NewUpload = {
  importId: string;
  fileName: string;
  /** What is kept of the wish beside the file. */
  choices: { isDryRun: boolean };
  length: number | null;
  /** In the same transaction. */
  onBegun?(scope: WorkspaceScope): Promise<void>;
};

/** Each keeps its file until its turn has come. */
export const MOST_WAITING = 10;

/** An import of this id goes on or is done, or too many of the workspace wait. */
export async function beginUpload(
  context: SignedInContext,
  kind: OperationKind,
  { importId, fileName, choices, length, onBegun }: NewUpload,
): Promise<Upload | 'contact_import_begun' | 'contact_imports_waiting'> {
  const { ipAddress, userAgent } = context;
  const parts = { ...context, origin: { ipAddress, userAgent } };
  const wish = { choices };
  const operation = {
    ...{ id: importId, kind: kind.name, name: fileName, phase: RECEIVING },
    ...{ total: length, wish },
  };
  return context.change(async (scope) => {
    if (await isQueueFull(scope, kind, importId)) return 'contact_imports_waiting';
    if (!(await beginOperation(scope, parts, operation))) {
      await settleLostUpload(scope, kind, importId);
      if (!(await beginAnew(scope, parts, operation))) return 'contact_import_begun';
      await deleteParts(scope, { workspaceId: scope.workspaceId, operationId: importId });
    }
    await openRecord(scope, { importId, fileName, isDryRun: choices.isDryRun });
    await onBegun?.(scope);
    const begun = await findOperation(scope, importId);
    return begun ? { importId, run: begun.run } : 'contact_import_begun';
  });
}

/** One after the other, so that what begins at the same time counts. */
async function isQueueFull(scope: WorkspaceScope, kind: OperationKind, importId: string): Promise<boolean> {
  await scope.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
    scope.workspaceId,
    advisoryLocks.importQueue,
  ]);
  const { rows } = await scope.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM operations
      WHERE workspace_id = $1 AND kind = $2 AND state <> ALL ($3) AND id <> $4`,
    [scope.workspaceId, kind.name, overStates, importId],
  );
  return (rows[0]?.waiting ?? 0) >= MOST_WAITING;
}

/** Ends uploads whose process is gone: nobody can go on with a file that is not here. */
export async function settleLostUploads(parts: ApiDependencies, kind: OperationKind): Promise<void> {
  const before = new Date(parts.clock().getTime() - SILENT_FOR_MS);
  const silent = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    findSilentInAllWorkspaces(client, before, RECEIVING),
  );
  const lost = silent.filter((operation) => operation.kind === kind.name);
  await sweepEach(parts, lost, ({ id, workspace_id: workspaceId }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, (scope) => settleLostUpload(scope, kind, id)),
  );
}

async function settleLostUpload(scope: WorkspaceScope, kind: OperationKind, importId: string): Promise<void> {
  const operation = await lockOperation(scope, importId);
  if (!operation || operation.phase !== RECEIVING || isOver(operation.state)) return;
  if (scope.clock().getTime() - operation.heartbeat_at.getTime() < SILENT_FOR_MS) return;
  const isCancelled = operation.state === 'cancelling';
  const failed = { state: 'failed', error: { code: 'upload_lost', values: {} } } as const;
  await endOperation(scope, kind, operation, isCancelled ? { state: 'cancelled' } : failed);
}
