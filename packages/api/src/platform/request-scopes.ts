import { copyIn } from '@app/database/backup/copy-rows';
import type { RequestWork } from '@app/contracts/endpoint';
import type { Queries, WorkKind } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import { openQueries } from '@app/database/open-queries';
import type { Caller } from '@app/domain/auth/caller';
import type { Cause } from '@app/domain/events/fact-cause';
import type pg from 'pg';
import type { Origin } from './origin.ts';
import type { RequestContext, RequestScopes, ScopedRead } from './request-context.ts';
import { openScope, runAfterwards, type Afterwards, type WorkspaceScope } from './workspace-scope.ts';

type Scoped = Omit<RequestContext, 'caller'> & { caller: Caller };

/** Each piece of work in a transaction of its own; what follows a change runs when it is committed. */
export function openScopes(context: Scoped, changeWork: RequestWork): RequestScopes {
  const { db, logger, requestId, caller } = context;
  return {
    read: takeKind((kind, work) =>
      db.inWorkspaceFor(kind, caller.workspaceId, (tx, client) =>
        work(openScope({ ...partsOf(context), tx, client, afterwards: [] })),
      ),
    ),
    readAtOneMoment: (work) =>
      db.inWorkspaceAtOneMoment(caller.workspaceId, (tx, client) =>
        work(openScope({ ...partsOf(context), tx, client, afterwards: [] })),
      ),
    async change(work) {
      const afterwards: Afterwards = [];
      const result = await db.inWorkspaceFor(changeWork, caller.workspaceId, (tx, client) =>
        work(openScope({ ...partsOf(context), tx, client, afterwards })),
      );
      await runAfterwards(afterwards, logger, { requestId });
      return result;
    },
  };
}

/** All of it becomes part of the transaction that holds the act's key; `afterwards` runs behind that one's commit. */
export function joinScopes(
  context: Scoped,
  {
    work: requestWork,
    ...joined
  }: { work: RequestWork; afterwards: Afterwards; tx: Queries; client: SqlQueries },
): RequestScopes {
  const scope = openScope({ ...partsOf(context), ...joined });
  return {
    read: takeKind((kind, work) => {
      refuseOtherWork(kind, requestWork);
      return work(scope);
    }),
    // What the act itself has changed is part of the moment, so it stays on the act's connection.
    readAtOneMoment: (work) => work(scope),
    change: (work) => work(scope),
  };
}

/** In whose name a connection is held. */
export type Holder = Pick<RequestContext, 'db' | 'clock' | 'facts' | 'logger'> & {
  caller: Caller;
  origin: Origin | null;
  cause?: Cause | null;
};

/** A connection for as long as a file takes to be read: what is written outside of `change` is written at once. */
export type HeldConnection = SqlQueries & {
  readonly workspaceId: string;
  /** Takes rows as PostgreSQL writes them, into a table of the connection. */
  copyIn(target: string, next: () => Promise<Uint8Array | null>): Promise<number>;
  /** One transaction in the caller's name. */
  change<Result>(work: (scope: WorkspaceScope) => Promise<Result>): Promise<Result>;
};

/**
 * Lends one of the connections for imports, which sees the caller's workspace alone. Its temporary tables go with it. There
 * are few: as many as imports run at once.
 */
export async function holdConnection<Result>(
  holder: Holder,
  work: (held: HeldConnection) => Promise<Result>,
): Promise<Result> {
  const { workspaceId } = holder.caller;
  const client = await holder.db.importPool.connect();
  let broken: Error | undefined;
  try {
    await client.query(
      `SELECT set_config('app.workspace_id', $1, false), set_config('app.scope', '', false)`,
      [workspaceId],
    );
    return await work({
      workspaceId,
      query: (text, values) => client.query(text, values),
      copyIn: (target, next) => copyIn(client, target, next),
      change: (changing) => changeHeld(client, holder, changing),
    });
  } catch (error) {
    await client.query('ROLLBACK').catch((problem: Error) => (broken = problem));
    throw error;
  } finally {
    if (!broken) await leaveAsFound(client).catch((problem: Error) => (broken = problem));
    client.release(broken);
  }
}

/** Rolled back where it fails, so that it can be tried again. */
async function changeHeld<Result>(
  client: pg.PoolClient,
  { caller, origin, cause = null, clock, facts, logger }: Holder,
  work: (scope: WorkspaceScope) => Promise<Result>,
): Promise<Result> {
  const afterwards: Afterwards = [];
  const scope = openScope({
    ...{ caller, origin, cause, clock, wake: facts.wake },
    ...{ tx: openQueries(client), client, afterwards },
  });
  try {
    await client.query('BEGIN');
    const result = await work(scope);
    await client.query('COMMIT');
    await runAfterwards(afterwards, logger);
    return result;
  } catch (error) {
    // A connection that cannot even do this is found broken by whoever holds it.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function leaveAsFound(client: pg.PoolClient): Promise<void> {
  await client.query('DISCARD TEMP');
  await client.query('RESET app.workspace_id');
  await client.query('RESET app.scope');
}

/** A connection of the act's kind is already there, and stays. */
function refuseOtherWork(kind: WorkKind, requestWork: RequestWork): void {
  if (kind !== requestWork && kind !== 'interactive')
    throw new Error(`An act that does ${kind} work is ${requestWork} in the contract.`);
}

function partsOf({ caller, ipAddress, userAgent, clock, facts }: Scoped) {
  return { caller, origin: { ipAddress, userAgent }, clock, wake: facts.wake };
}

function takeKind(
  read: <Result>(kind: WorkKind, work: ScopedRead<Result>) => Promise<Result>,
): RequestScopes['read'] {
  return <Result>(first: WorkKind | ScopedRead<Result>, second?: ScopedRead<Result>) =>
    typeof first === 'string' ? read(first, second!) : read('interactive', first); // the overloads give both
}
