import { enqueueOperation } from '../platform/operations/operation-job.ts';
import { findSilentInAllWorkspaces } from '../platform/operations/operation-rows.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';

/** Behind what the queue does by itself when a process dies. */
const SILENT_FOR_MS = 30_000;

/** Acts that nobody works on, whose job is gone, get another one: such as those of a database that was restored. */
export async function takeUpLostOperations(parts: ApiDependencies): Promise<void> {
  const before = new Date(parts.clock().getTime() - SILENT_FOR_MS);
  const silent = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    findSilentInAllWorkspaces(client, before),
  );
  // Nobody can go on with a file that is not here.
  const lost = silent.filter(({ phase }) => phase !== 'receiving');
  await sweepEach(parts, lost, ({ id, workspace_id: workspaceId, kind }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, (scope) => enqueueOperation(parts, scope, kind, id)),
  );
}
