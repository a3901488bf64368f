import type { OperationKindName } from '@app/domain/operations/operation-kinds';
import type { OverState } from '@app/domain/operations/operation-state';
import type { Caller } from '@app/domain/auth/caller';
import type { Cause } from '@app/domain/events/fact-cause';
import type { Origin } from '../origin.ts';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import type { Advance, StoredOperation } from './operation-rows.ts';

/** What one bit of an act came to. */
export type OperationStep = Advance & { isOver: boolean };

/** An act that is done in one go, as the process sees it that runs it. */
export type RunningOperation = {
  operation: StoredOperation;
  caller: Caller;
  origin: Origin | null;
  /** What led to it; null where a person began it. */
  cause: Cause | null;
  parts: ApiDependencies;
  /** Aborted when the process stops, or another one took the act over. */
  signal: AbortSignal;
};

/** One kind of operation: what it does, and what is told when it is over. Who may see it stands in `operation-kinds.ts`. */
export type OperationKind = {
  name: OperationKindName;
  /** How many of them one process runs at a time. */
  atOnce?: number;
  /** Told when it is over, in the transaction that ends it: also of one that was cancelled what it did until then. */
  onEnd(scope: WorkspaceScope, ended: { operation: StoredOperation; state: OverState }): Promise<void>;
} & (
  | {
      /** What is half done must not stay so: it goes on to its end also when whoever began it may not do such a thing any more. */
      goesToItsEnd?: boolean;
      /** Does the next bit, in a transaction that holds the act; what was done before the process died stays done. */
      step(scope: WorkspaceScope, operation: StoredOperation, parts: ApiDependencies): Promise<OperationStep>;
    }
  | {
      /** Does all of it and ends it by `endOperation` in its own transaction; begun anew by another process, it begins at the beginning. */
      run(running: RunningOperation): Promise<void>;
    }
);

/** Why an act failed, as a code with values: no other attempt would help. */
export class OperationFailed extends Error {
  readonly code: string;
  readonly values: Record<string, string | number>;
  constructor(code: string, values: Record<string, string | number> = {}) {
    super(`The act failed: ${code}`);
    this.code = code;
    this.values = values;
  }
}

/** Somebody cancelled it. */
export class OperationCancelled extends Error {}

/** It is not this process's own any more: another one took it up, or it is over. */
export class OperationLost extends Error {}
