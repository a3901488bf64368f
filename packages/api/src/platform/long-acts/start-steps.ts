import { isOver } from '@app/domain/long-acts/long-act-state';
import type { SignedInContext } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { leaveAct } from './long-act-job.ts';
import { beginAct, findAct, type NewAct } from './long-act-rows.ts';
import { presentAct, type LongAct } from './present-act.ts';
import { stepAct, type SteppingKind } from './step-act.ts';

/**
 * The wish and the first bit of its work are one transaction with the key of the act: what is small is done when the answer
 * comes, the rest of what is large goes on behind it, and a process that dies leaves either nothing or an act that is taken up. The same id
 * again changes nothing; one that is none of ours, or of another kind, is an `ActOfAnother`.
 */
export async function startSteps(
  scope: WorkspaceScope,
  context: SignedInContext,
  kind: SteppingKind,
  act: NewAct,
): Promise<LongAct> {
  const { ipAddress, userAgent } = context;
  const isNew = await beginAct(scope, { ...context, origin: { ipAddress, userAgent } }, act);
  const begun = isNew ? await stepAct(scope, kind, { id: act.id }, context) : await findAct(scope, act.id);
  if (begun?.kind !== kind.name) throw new ActOfAnother();
  if (isNew && !isOver(begun.state)) await leaveAct(context, scope, kind.name, act.id);
  return presentAct(begun, { caller: scope.caller, now: scope.clock() });
}

export class ActOfAnother extends Error {}
