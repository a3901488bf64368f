import type { Queries, Work, WorkKind } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import { systemCaller, type Caller, type SystemPart } from '@app/domain/auth/caller';
import type { Cause } from '@app/domain/events/fact-cause';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import type pg from 'pg';
import type { Origin } from './origin.ts';
import type { ApiDependencies, RequestScopes, ScopedRead } from './request-context.ts';
import { openScope, runAfterwards, type Afterwards, type WorkspaceScope } from './workspace-scope.ts';

export type SystemParts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger'>;

/**
 * One transaction of a named part of the product in one workspace; it sees no row of another one. With a kind of work it
 * stands in line for those connections as the work of people does.
 */
export function changeAsSystem<Result>(
  parts: SystemParts,
  part: SystemPart,
  workspaceId: string,
  work: (scope: WorkspaceScope) => Promise<Result>,
  kind: WorkKind | null = null,
): Promise<Result> {
  return changeOn(parts, systemCaller(part, workspaceId), work, { kind });
}

export type WorkOptions = {
  /** Stands in line for those connections as the work of people does. */
  kind?: WorkKind | null;
  /** Where the request came from that asked for it. */
  origin?: Origin | null;
  /** What led to it: every fact, job, message and operation of the transaction names it. */
  cause?: Cause | null;
};

/**
 * The same in the name of a caller without a request: a person who comes or goes, what goes on behind an answer, or a flow, bot or
 * integration that acts (`actorCaller`).
 */
export function changeInNameOf<Result>(
  parts: SystemParts,
  caller: Caller,
  work: (scope: WorkspaceScope) => Promise<Result>,
  options: WorkOptions = {},
): Promise<Result> {
  return changeOn(parts, caller, work, options);
}

async function changeOn<Result>(
  { db, clock, facts, logger }: SystemParts,
  caller: Caller,
  work: (scope: WorkspaceScope) => Promise<Result>,
  { kind = null, origin = null, cause = null }: WorkOptions,
): Promise<Result> {
  const { workspaceId } = caller;
  const afterwards: Afterwards = [];
  const inScope: Work<Result> = (tx, client) =>
    work(openScope({ caller, origin, cause, tx, client, clock, afterwards, wake: facts.wake }));
  const result = await (kind === null
    ? db.inSystemWorkspace(workspaceId, inScope)
    : db.inWorkspaceFor(kind, workspaceId, inScope));
  await runAfterwards(afterwards, logger);
  return result;
}

/** For work that has a person ask for it, or the product itself: the ways to the database that a handler has. */
export function openSystemScopes(
  parts: SystemParts,
  part: SystemPart,
  workspaceId: string,
  cause: Cause | null = null,
): RequestScopes {
  return openScopesOf(parts, systemCaller(part, workspaceId), cause);
}

/** The same in the name of any caller. */
export function openScopesOf(parts: SystemParts, caller: Caller, cause: Cause | null): RequestScopes {
  const change: RequestScopes['change'] = (work) => changeOn(parts, caller, work, { cause });
  return {
    change,
    readAtOneMoment: (work) =>
      parts.db.inWorkspaceAtOneMoment(caller.workspaceId, (tx, client) =>
        work(
          openScope({
            ...{ caller, origin: null, cause, tx, client, afterwards: [] },
            ...{ clock: parts.clock, wake: parts.facts.wake },
          }),
        ),
      ),
    read: <Result>(first: WorkKind | ScopedRead<Result>, second?: ScopedRead<Result>) =>
      change(typeof first === 'string' ? second! : first), // the overloads give both
  };
}

/**
 * A scope of a transaction that sees every workspace: it tells in that one, but its SQL must still name it. It tells in the
 * name of the product's part, or of the person whom that has just come to know.
 */
export type ScopeOf = (who: string | KnownPerson, cause?: Cause | null) => WorkspaceScope;
export type KnownPerson = { caller: Caller; origin: Origin };

/** A transaction that sees every workspace, for what arrives for several of them at once, or belongs to none. */
export async function changeAcrossWorkspaces<Result>(
  { db, clock, facts, logger }: SystemParts,
  part: SystemPart,
  work: (across: { tx: Queries; client: pg.PoolClient; scopeOf: ScopeOf }) => Promise<Result>,
  limits?: { lockMs: number },
): Promise<Result> {
  const afterwards: Afterwards = [];
  const result = await db.inSystem((tx, client) => {
    const shared = { tx, client, clock, afterwards, wake: facts.wake };
    const scopeOf: ScopeOf = (who, cause = null) =>
      openScope({
        ...shared,
        cause,
        ...(typeof who === 'string' ? { caller: systemCaller(part, who), origin: null } : who),
      });
    return work({ tx, client, scopeOf });
  }, limits);
  await runAfterwards(afterwards, logger);
  return result;
}

/** Tells what happened to a person, its subject, in every workspace that they work in. */
export async function emitEverywhere(client: SqlQueries, scopeOf: ScopeOf, fact: NewFact): Promise<void> {
  const { rows } = await client.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM memberships WHERE user_id = $1',
    [fact.subject],
  );
  for (const { workspace_id: workspaceId } of rows) await scopeOf(workspaceId).emit(fact);
}
