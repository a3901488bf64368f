import type { OperationKindName } from '@app/domain/operations/operation-kinds';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { enqueueOperation } from './operation-job.ts';
import { findOpenOperations, moveOperation } from './operation-rows.ts';

/** Where it waits for its turn, or lost its process, somebody has to see that it shall end; a file that arrives sees it by itself. */
export async function enqueueCancelled(
  parts: Pick<ApiDependencies, 'jobs'>,
  scope: WorkspaceScope,
  operation: { id: string; kind: OperationKindName; phase: string | null },
): Promise<void> {
  if (operation.phase !== 'receiving') await enqueueOperation(parts, scope, operation.kind, operation.id);
}

/** Cancels all acts of a kind that are not over, whoever began them. */
export async function cancelOperations(
  scope: WorkspaceScope,
  parts: Pick<ApiDependencies, 'jobs'>,
  kind: OperationKindName,
): Promise<void> {
  for (const operation of await findOpenOperations(scope, kind))
    if (await moveOperation(scope, operation.id, 'cancelling'))
      await enqueueCancelled(parts, scope, operation);
}
