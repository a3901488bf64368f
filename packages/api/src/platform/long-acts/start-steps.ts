import { isOver } from '@app/domain/long-acts/long-act-state';
import type { SignedInContext } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { leaveAct } from './long-act-job.ts';
import { beginAct, type NewAct } from './long-act-rows.ts';
import { stepAct, type SteppingKind } from './step-act.ts';

/**
 * The wish and the first bit of its work are one transaction with the key of the act: what is small is done when the answer
 * comes, the rest of what is large goes on behind it, and a process that dies leaves either nothing or an act that is taken up. The same id
 * again changes nothing.
 */
export async function startSteps(
  scope: WorkspaceScope,
  context: SignedInContext,
  kind: SteppingKind,
  act: NewAct,
): Promise<void> {
  const { ipAddress, userAgent } = context;
  const isNew = await beginAct(scope, { ...context, origin: { ipAddress, userAgent } }, act);
  if (!isNew) return;
  const begun = await stepAct(scope, kind, { id: act.id }, context);
  if (begun && !isOver(begun.state)) await leaveAct(context, scope, kind.name, act.id);
}
