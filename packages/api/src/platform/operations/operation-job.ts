import type { OperationKindName } from '@app/domain/operations/operation-kinds';
import { z } from 'zod';
import { defineJob, type RunnableJobKind } from '../jobs/define-job.ts';
import type { WorkspaceJobKind } from '../jobs/job-kind.ts';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import type { OperationKind } from './operation-kind.ts';
import { runOperation } from './run-operation.ts';

type Payload = { operationId: string };

/** What goes on to its end within so many hours, where two are not enough: as long as a backup of the installation may take. */
const HOURS_OF: Partial<Record<OperationKindName, number>> = {
  'workspace-archive': 12,
};

/** The rules of all of them, so that somebody can leave such a job who does not know what it does. */
function rulesOfJob(name: OperationKindName): WorkspaceJobKind<Payload> {
  return {
    name: `long-act-${name}`,
    as: 'upkeep',
    payload: z.object({ operationId: z.uuid() }),
    repeat: 'while-open',
    // A process may die over it, and an update of the product ends many processes; what fails by itself is counted in its row.
    ...{ attempts: 20, pauseSeconds: 1, longestPauseSeconds: 30 },
    timeoutSeconds: (HOURS_OF[name] ?? 2) * 3_600,
    ...{ atOnce: 2, atOnceOfOne: 2 },
  };
}

/** The job that works on acts of a kind. */
export function operationJob(kind: OperationKind): RunnableJobKind {
  const { atOnce = 2 } = kind;
  return defineJob<Payload>({
    ...rulesOfJob(kind.name),
    atOnce,
    run: (parts, { payload, workspaceId, signal }) =>
      runOperation(parts, kind, {
        id: payload.operationId,
        workspaceId: workspaceId ?? '',
        signal,
      }),
  });
}

/** Has some process work on the act, once this is committed. While one does, it is none. */
export async function enqueueOperation(
  { jobs }: Pick<ApiDependencies, 'jobs'>,
  scope: WorkspaceScope,
  kind: OperationKindName,
  operationId: string,
): Promise<void> {
  await jobs.enqueue(scope, rulesOfJob(kind), operationId, { operationId });
}
