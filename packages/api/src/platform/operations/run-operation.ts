import { databaseTrouble, hasLostRace, meetsEveryone } from '@app/database/query-error';
import { isOver } from '@app/domain/operations/operation-state';
import { JobGivenUp, readFailureCode } from '../jobs/job-failure.ts';
import { pause } from '../jobs/pause.ts';
import type { ApiDependencies } from '../request-context.ts';
import { changeAsSystem, changeInNameOf } from '../system-work.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { endOperation } from './end-operation.ts';
import {
  OperationCancelled,
  OperationFailed,
  OperationLost,
  type OperationKind,
  type RunningOperation,
} from './operation-kind.ts';
import {
  callerOfOperation,
  causeOfAct,
  moveOperation,
  takeUpOperation,
  type StoredOperation,
} from './operation-rows.ts';
import { checkStarter } from './starter-rights.ts';
import { stepOperation, type SteppingKind } from './step-operation.ts';
import { publishRow, TELL_EVERY_MS } from './publish-progress.ts';

/** How often an act may fail in the same place before it has failed for good. */
const MOST_FAILURES = 3;
const PAUSE_MS = 500;
/** While there is no connection to the database, or no server that takes writes: that is no failure of the act, however long it takes. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** How often one bit is done anew that gave way to another transaction. */
const MOST_TRIES = 4;

type Place = { id: string; workspaceId: string; signal: AbortSignal };

/** Takes an act up and works on it until it is over. What it does is done once, however many processes try. */
export async function runOperation(
  parts: ApiDependencies,
  kind: OperationKind,
  { id, workspaceId, signal }: Place,
): Promise<{ state: string }> {
  const operation = await changeAsSystem(parts, 'upkeep', workspaceId, (scope) => takeUpOperation(scope, id));
  if (!operation) return { state: 'over' };
  const running: RunningOperation = {
    operation,
    caller: callerOfOperation(operation),
    origin: operation.origin,
    cause: causeOfAct(operation),
    parts,
    signal,
  };
  await publishRow(parts, { row: operation, workspaceId, now: parts.clock() });
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const begunAt = performance.now();
    try {
      if (operation.state === 'cancelling') throw new OperationCancelled();
      if ('step' in kind) await runSteps(kind, running);
      else await kind.run(running);
      return { state: 'done' };
    } catch (error) {
      if (mustWait(error) && !signal.aborted) {
        if (performance.now() - begunAt > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
        parts.logger.warn(
          { err: error, operation: id, kind: kind.name },
          'an operation waits for the database',
        );
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        continue;
      }
      const state = await settleTrouble(running, kind, error);
      if (state !== null) return { state };
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** A full disk is another matter: the act itself may be what fills it, each time anew. */
function mustWait(error: unknown): boolean {
  return meetsEveryone(error) && databaseTrouble(error) !== 'full';
}

async function runSteps(kind: SteppingKind, running: RunningOperation): Promise<void> {
  const { operation, parts, signal } = running;
  let toldAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const now = await tryAgain(() =>
      inNameOf(running, async (scope) => {
        if (!kind.goesToItsEnd) await checkStarter(scope, kind.name, running.caller);
        return stepOperation(scope, kind, { id: operation.id, run: operation.run }, parts);
      }),
    );
    if (!now || isOver(now.state)) return;
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    await publishRow(parts, {
      row: now,
      workspaceId: operation.workspace_id,
      now: parts.clock(),
    });
  }
}

/** A change in the name of whoever began the act. */
export function inNameOf<Result>(
  { parts, caller, origin, cause }: Pick<RunningOperation, 'parts' | 'caller' | 'origin' | 'cause'>,
  work: (scope: WorkspaceScope) => Promise<Result>,
): Promise<Result> {
  return changeInNameOf(parts, caller, work, { kind: 'long', origin, cause });
}

async function tryAgain<Result>(perform: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await perform();
    } catch (error) {
      if (tries === MOST_TRIES || !hasLostRace(error)) throw error;
    }
  }
}

/** Null for what is worth another try. */
async function settleTrouble(
  running: RunningOperation,
  kind: OperationKind,
  error: unknown,
): Promise<string | null> {
  const { operation, parts, signal } = running;
  if (error instanceof OperationLost) return 'lost';
  const end = (scope: WorkspaceScope, failed: OperationFailed | null) =>
    endOperation(
      scope,
      kind,
      operation,
      failed ? { state: 'failed', error: failed } : { state: 'cancelled' },
    );
  if (error instanceof OperationCancelled || error instanceof OperationFailed) {
    const failed = error instanceof OperationFailed ? error : null;
    await inNameOf(running, (scope) => end(scope, failed));
    return failed ? 'failed' : 'cancelled';
  }
  if (signal.aborted) {
    await inNameOf(running, (scope) => interruptOperation(scope, operation));
    throw error;
  }
  const code = readFailureCode(error);
  parts.logger.error({ err: error, operation: operation.id, kind: kind.name, code }, 'an operation failed');
  const isForGood = await inNameOf(running, async (scope) => {
    const { rows } = await scope.query<{ failures: number }>(
      `UPDATE operations SET failures = failures + 1 WHERE workspace_id = $1 AND id = $2 AND run = $3 RETURNING failures`,
      [scope.workspaceId, operation.id, operation.run],
    );
    if ((rows[0]?.failures ?? 0) < MOST_FAILURES) return false;
    return end(scope, new OperationFailed('internal'));
  });
  if (isForGood) throw new JobGivenUp(code);
  return null;
}

/** The process stops, and says so: the next one goes on. */
async function interruptOperation(scope: WorkspaceScope, { id, run }: StoredOperation): Promise<void> {
  const { rowCount } = await scope.query(
    'SELECT FROM operations WHERE workspace_id = $1 AND id = $2 AND run = $3 FOR UPDATE',
    [scope.workspaceId, id, run],
  );
  if (rowCount === 1) await moveOperation(scope, id, 'interrupted');
}
