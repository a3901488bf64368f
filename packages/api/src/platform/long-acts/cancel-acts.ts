import type { LongActKindName } from '@app/domain/long-acts/long-act-kinds';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { leaveAct } from './long-act-job.ts';
import { findOpenActs, moveAct } from './long-act-rows.ts';

/** Where it waits for its turn, or lost its process, somebody has to see that it shall end; a file that arrives sees it by itself. */
export async function leaveCancelled(
  parts: Pick<ApiDependencies, 'jobs'>,
  scope: WorkspaceScope,
  act: { id: string; kind: LongActKindName; phase: string | null },
): Promise<void> {
  if (act.phase !== 'receiving') await leaveAct(parts, scope, act.kind, act.id);
}

/** Cancels all acts of a kind that are not over, whoever began them. */
export async function cancelActs(
  scope: WorkspaceScope,
  parts: Pick<ApiDependencies, 'jobs'>,
  kind: LongActKindName,
): Promise<void> {
  for (const act of await findOpenActs(scope, kind))
    if (await moveAct(scope, act.id, 'cancelling')) await leaveCancelled(parts, scope, act);
}
