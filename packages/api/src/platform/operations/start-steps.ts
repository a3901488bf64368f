import { isOver } from '@app/domain/operations/operation-state';
import type { SignedInContext } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { enqueueOperation } from './operation-job.ts';
import { beginOperation, findOperation, type NewOperation } from './operation-rows.ts';
import { presentOperation, type Operation } from './present-operation.ts';
import { stepOperation, type SteppingKind } from './step-operation.ts';

/**
 * The wish and the first bit of its work are one transaction with the key of the act: what is small is done when the answer
 * comes, the rest of what is large goes on behind it, and a process that dies leaves either nothing or an act that is taken up. The same id
 * again changes nothing; one that is none of ours, or of another kind, is an `OperationOfAnother`.
 */
export async function startSteps(
  scope: WorkspaceScope,
  context: SignedInContext,
  kind: SteppingKind,
  operation: NewOperation,
): Promise<Operation> {
  const { ipAddress, userAgent } = context;
  const isNew = await beginOperation(scope, { ...context, origin: { ipAddress, userAgent } }, operation);
  const begun = isNew
    ? await stepOperation(scope, kind, { id: operation.id }, context)
    : await findOperation(scope, operation.id);
  if (begun?.kind !== kind.name) throw new OperationOfAnother();
  if (isNew && !isOver(begun.state)) await enqueueOperation(context, scope, kind.name, operation.id);
  return presentOperation(begun, { caller: scope.caller, now: scope.clock() });
}

export class OperationOfAnother extends Error {}
