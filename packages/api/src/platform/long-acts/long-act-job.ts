import type { LongActKindName } from '@app/domain/long-acts/long-act-kinds';
import { z } from 'zod';
import { defineJob, type RunnableJobKind } from '../jobs/define-job.ts';
import type { WorkspaceJobKind } from '../jobs/job-kind.ts';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import type { LongActKind } from './long-act-kind.ts';
import { runAct } from './run-act.ts';

type Payload = { actId: string };

/** What goes on to its end within so many hours, where two are not enough: as long as a backup of the installation may take. */
const HOURS_OF: Partial<Record<LongActKindName, number>> = {
  'workspace-archive': 12,
};

/** The rules of all of them, so that somebody can leave such a job who does not know what it does. */
function rulesOfJob(name: LongActKindName): WorkspaceJobKind<Payload> {
  return {
    name: `long-act-${name}`,
    as: 'upkeep',
    payload: z.object({ actId: z.uuid() }),
    repeat: 'while-open',
    // A process may die over it, and an update of the product ends many processes; what fails by itself is counted in its row.
    ...{ attempts: 20, pauseSeconds: 1, longestPauseSeconds: 30 },
    timeoutSeconds: (HOURS_OF[name] ?? 2) * 3_600,
    ...{ atOnce: 2, atOnceOfOne: 2 },
  };
}

/** The job that works on acts of a kind. */
export function longActJob(kind: LongActKind): RunnableJobKind {
  const { atOnce = 2 } = kind;
  return defineJob<Payload>({
    ...rulesOfJob(kind.name),
    atOnce,
    run: (parts, { payload, workspaceId, signal }) =>
      runAct(parts, kind, {
        id: payload.actId,
        workspaceId: workspaceId ?? '',
        signal,
      }),
  });
}

/** Has some process work on the act, once this is committed. While one does, it is none. */
export async function leaveAct(
  { jobs }: Pick<ApiDependencies, 'jobs'>,
  scope: WorkspaceScope,
  kind: LongActKindName,
  actId: string,
): Promise<void> {
  await jobs.enqueue(scope, rulesOfJob(kind), actId, { actId });
}
