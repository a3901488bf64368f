import type { Queries } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import type { Caller } from '@app/domain/auth/caller';
import type { Cause } from '@app/domain/events/fact-cause';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import type { Origin } from './origin.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';
import { emitFacts } from './facts/emit-facts.ts';

/**
 * One transaction in one workspace, in somebody's name: all that a feature gets of the database. Hand-written SQL goes
 * through `query`, the query builder is `tx`.
 */
export type ReadScope = SqlQueries & {
  readonly workspaceId: string;
  readonly caller: Caller;
  readonly tx: Queries;
  readonly clock: Clock;
};

/** The same where something changes. */
export type WorkspaceScope = ReadScope & {
  /** What led to the changes of this scope: every fact, job, message and operation of it names this. Null for what a person began. */
  readonly cause: Cause | null;
  /**
   * Says what happened, once, after the row lock of what it is about is taken. Audit entry, live events and everything that
   * follows from the fact come of this call alone, if the transaction commits.
   */
  emit(fact: NewFact): Promise<void>;
  /** The same for many things that happened, in one statement. */
  emitMany(facts: readonly NewFact[]): Promise<void>;
  /** Work of the same transaction in another workspace, whose rows it sees in place of those of this one. Who may do that is for the caller to know. */
  in<Result>(workspaceId: string, work: (scope: WorkspaceScope) => Promise<Result>): Promise<Result>;
  /** For what must not happen unless the change is committed, such as the removal of a file. Work with the same name is done once for the transaction. */
  afterCommit(work: () => Promise<unknown>, onceAs?: string): void;
};

/** What waits for the commit of a transaction. */
export type Afterwards = { work(): Promise<unknown>; onceAs?: string | undefined }[];

export type ScopeParts = {
  caller: Caller;
  /** Where the request came from; null for what the product does by itself. */
  origin: Origin | null;
  tx: Queries;
  client: SqlQueries;
  clock: Clock;
  afterwards: Afterwards;
  /** Has the consumers of these types of facts look, after the commit. */
  wake?: ((types: Iterable<string>) => void) | undefined;
  cause?: Cause | null;
};

export function openScope(parts: ScopeParts): WorkspaceScope {
  const { caller, origin, tx, client, clock, afterwards, wake, cause = null } = parts;
  const emitted = new Set<string>();
  const emitMany = async (facts: readonly NewFact[]) => {
    if (facts.length === 0) return;
    await emitFacts(client, { caller, origin, cause, at: clock() }, facts);
    if (emitted.size === 0 && wake) afterwards.push({ work: async () => wake(emitted) });
    for (const { type } of facts) emitted.add(type);
  };
  return {
    workspaceId: caller.workspaceId,
    ...{ caller, cause, tx, clock },
    query: (text, values) => client.query(text, values),
    emit: (fact) => emitMany([fact]),
    emitMany,
    async in(workspaceId, work) {
      const enter = (id: string) => client.query(`SELECT set_config('app.workspace_id', $1, true)`, [id]);
      await enter(workspaceId);
      const result = await work(openScope({ ...parts, caller: { ...caller, workspaceId } }));
      await enter(caller.workspaceId);
      return result;
    },
    afterCommit: (work, onceAs) => void afterwards.push({ work, onceAs }),
  };
}

/** The change is saved: what follows it may fail, and is logged then. */
export async function runAfterwards(
  afterwards: Afterwards,
  logger: Logger,
  fields: object = {},
): Promise<void> {
  const done = new Set<string>();
  for (const { work, onceAs } of afterwards) {
    if (onceAs !== undefined && done.has(onceAs)) continue;
    if (onceAs !== undefined) done.add(onceAs);
    await work().catch((error: unknown) =>
      logger.warn({ ...fields, err: error }, 'what follows a saved change failed'),
    );
  }
}
