import type { ActWork } from '@app/contracts/endpoint';
import type { Queries, WorkKind } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import type { Caller } from '@app/domain/auth/caller';
import type { RequestContext, RequestScopes, ScopedRead } from './request-context.ts';
import { openScope, runAfterwards, type Afterwards } from './workspace-scope.ts';

type Scoped = Omit<RequestContext, 'caller'> & { caller: Caller };

/** Each piece of work in a transaction of its own; what follows a change runs when it is committed. */
export function openScopes(context: Scoped, changeWork: ActWork): RequestScopes {
  const { db, logger, requestId, caller } = context;
  return {
    read: takeKind((kind, work) =>
      db.inWorkspaceFor(kind, caller.workspaceId, (tx, client) =>
        work(openScope({ ...partsOf(context), tx, client, afterwards: [] })),
      ),
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
  { work: actWork, ...joined }: { work: ActWork; afterwards: Afterwards; tx: Queries; client: SqlQueries },
): RequestScopes {
  const scope = openScope({ ...partsOf(context), ...joined });
  return {
    read: takeKind((kind, work) => {
      refuseOtherWork(kind, actWork);
      return work(scope);
    }),
    change: (work) => work(scope),
  };
}

/** A connection of the act's kind is already there, and stays. */
export function refuseOtherWork(kind: WorkKind, actWork: ActWork): void {
  if (kind !== actWork && kind !== 'interactive')
    throw new Error(`An act that does ${kind} work is ${actWork} in the contract.`);
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
