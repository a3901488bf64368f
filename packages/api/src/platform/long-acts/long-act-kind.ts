import type { LongActKindName } from '@app/domain/long-acts/long-act-kinds';
import type { OverState } from '@app/domain/long-acts/long-act-state';
import type { Caller } from '@app/domain/auth/caller';
import type { Origin } from '../origin.ts';
import type { ApiDependencies } from '../request-context.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import type { Advance, StoredAct } from './long-act-rows.ts';

/** What one bit of an act came to. */
export type ActStep = Advance & { isOver: boolean };

/** An act that is done in one go, as the process sees it that runs it. */
export type RunningAct = {
  act: StoredAct;
  caller: Caller;
  origin: Origin | null;
  parts: ApiDependencies;
  /** Aborted when the process stops, or another one took the act over. */
  signal: AbortSignal;
};

/** One kind of long act: what it does, and what is told when it is over. Who may see it stands in `long-act-kinds.ts`. */
export type LongActKind = {
  name: LongActKindName;
  /** How many of them one process runs at a time. */
  atOnce?: number;
  /** Told when it is over, in the transaction that ends it: also of one that was cancelled what it did until then. */
  onEnd(scope: WorkspaceScope, ended: { act: StoredAct; state: OverState }): Promise<void>;
} & (
  | {
      /** What is half done must not stay so: it goes on to its end also when whoever began it may not do such a thing any more. */
      goesToItsEnd?: boolean;
      /** Does the next bit, in a transaction that holds the act; what was done before the process died stays done. */
      step(scope: WorkspaceScope, act: StoredAct, parts: ApiDependencies): Promise<ActStep>;
    }
  | {
      /** Does all of it and ends it by `endAct` in its own transaction; begun anew by another process, it begins at the beginning. */
      run(running: RunningAct): Promise<void>;
    }
);

/** Why an act failed, as a code with values: no other attempt would help. */
export class ActFailed extends Error {
  readonly code: string;
  readonly values: Record<string, string | number>;
  constructor(code: string, values: Record<string, string | number> = {}) {
    super(`The act failed: ${code}`);
    this.code = code;
    this.values = values;
  }
}

/** Somebody cancelled it. */
export class ActCancelled extends Error {}

/** It is not this process's own any more: another one took it up, or it is over. */
export class ActLost extends Error {}
