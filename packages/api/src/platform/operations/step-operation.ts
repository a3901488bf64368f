import { isOver } from '@app/domain/operations/operation-state';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { endOperation, type OperationEnd } from './end-operation.ts';
import type { OperationStep, OperationKind } from './operation-kind.ts';
import { advanceOperation, lockOperation, moveOperation } from './operation-rows.ts';
import type { OperationRow } from './present-operation.ts';

export type SteppingKind = Extract<OperationKind, { step: unknown }>;

/** A step that ends its act with a file. */
export type LastStep = OperationStep & Pick<OperationEnd, 'file'>;

/**
 * The next bit of an act, in this transaction, which holds the act until its end: so that somebody who cancels it meets it between two
 * bits. Answers with how it stands then; null when there is nothing (any more) to do for this run.
 */
export async function stepOperation(
  scope: WorkspaceScope,
  kind: SteppingKind,
  { id, run }: { id: string; run?: number },
  parts: ApiDependencies,
): Promise<OperationRow | null> {
  const operation = await lockOperation(scope, id, run);
  if (!operation || isOver(operation.state)) return null;
  if (operation.state === 'cancelling') {
    await endOperation(scope, kind, operation, { state: 'cancelled' });
    return lockOperation(scope, id);
  }
  if (operation.state === 'queued') await moveOperation(scope, id, 'running');
  const step: LastStep = await kind.step(scope, operation, parts);
  if (operation.failures > 0) await forgetFailures(scope, id);
  const advanced = await advanceOperation(scope, operation, step);
  if (step.isOver) {
    await endOperation(scope, kind, operation, { state: 'done', file: step.file ?? null });
    return lockOperation(scope, id);
  }
  return advanced;
}

/** What failed went on: the next failure is another one. */
async function forgetFailures(scope: WorkspaceScope, id: string): Promise<void> {
  await scope.query('UPDATE operations SET failures = 0 WHERE workspace_id = $1 AND id = $2', [
    scope.workspaceId,
    id,
  ]);
}
