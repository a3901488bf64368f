import { isOver } from '@app/domain/long-acts/long-act-state';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { endAct, type ActEnd } from './end-act.ts';
import type { ActStep, LongActKind } from './long-act-kind.ts';
import { advanceAct, lockAct, moveAct } from './long-act-rows.ts';
import type { ActRow } from './present-act.ts';

export type SteppingKind = Extract<LongActKind, { step: unknown }>;

/** A step that ends its act with a file. */
export type LastStep = ActStep & Pick<ActEnd, 'file'>;

/**
 * The next bit of an act, in this transaction, which holds the act until its end: so that somebody who cancels it meets it between two
 * bits. Answers with how it stands then; null when there is nothing (any more) to do for this run.
 */
export async function stepAct(
  scope: WorkspaceScope,
  kind: SteppingKind,
  { id, run }: { id: string; run?: number },
  parts: ApiDependencies,
): Promise<ActRow | null> {
  const act = await lockAct(scope, id, run);
  if (!act || isOver(act.state)) return null;
  if (act.state === 'cancelling') {
    await endAct(scope, kind, act, { state: 'cancelled' });
    return lockAct(scope, id);
  }
  if (act.state === 'queued') await moveAct(scope, id, 'running');
  const step: LastStep = await kind.step(scope, act, parts);
  const advanced = await advanceAct(scope, act, step);
  if (step.isOver) {
    await endAct(scope, kind, act, { state: 'done', file: step.file ?? null });
    return lockAct(scope, id);
  }
  return advanced;
}
