import { narrowAtSavepoint, widenAndRelease, type Queries } from '@app/database/database';
import { databaseTrouble } from '@app/database/query-error';
import type { SqlQueries } from '@app/database/sql-queries';
import { systemCaller } from '@app/domain/auth/caller';
import { openScope, type Afterwards } from '../workspace-scope.ts';
import { isAtDepthLimit, type Cause } from '@app/domain/events/fact-cause';
import type { FactConsumer, FactLogParts, PageScope, StoredFact } from './fact-consumer.ts';

/** The transaction in which facts are handled, and what waits for its commit. */
export type Handling = FactLogParts & { tx: Queries; client: SqlQueries; afterwards: Afterwards };

/** Null when it went well; else nothing of it is left. What the database will bear in a moment fails the whole page. */
export async function tryToHandle(
  { tx, client, afterwards, clock, db, logger, viewers, jobs, channelKinds, connectorKinds }: Handling,
  consumer: FactConsumer,
  workspaceId: string,
  all: readonly StoredFact[],
): Promise<{ error: unknown } | null> {
  const facts = consumer.atDepthLimit === 'refuse' ? all.filter((fact) => !isAtDepthLimit(fact)) : all;
  for (const { id, type, depth } of all)
    if (consumer.atDepthLimit === 'refuse' && isAtDepthLimit({ depth }))
      logger.warn(
        { consumer: consumer.name, factId: id, type, depth, workspaceId },
        'a fact at the depth limit starts nothing',
      );
  if (facts.length === 0) return null;
  const own: Afterwards = [];
  const open = (cause: Cause | null) =>
    openScope({
      caller: systemCaller('facts', workspaceId),
      ...{ tx, client, clock, afterwards: own, origin: null, cause },
    });
  const { workspaceId: id, caller, tx: queries, clock: now, query } = open(null);
  const scope: PageScope = {
    ...{ workspaceId: id, caller, tx: queries, clock: now, query },
    causedBy: (...given) =>
      open(causeOf(given.reduce((deep, fact) => (fact.depth > deep.depth ? fact : deep)))),
  };
  await narrowAtSavepoint(client, workspaceId, 'facts');
  try {
    await consumer.handle(scope, facts, {
      ...{ db, logger, ...(viewers && { viewers }), ...(jobs && { jobs }) },
      ...(channelKinds && { channelKinds }),
      ...(connectorKinds && { connectorKinds }),
    });
    await widenAndRelease(client, 'facts');
    afterwards.push(...own);
    return null;
  } catch (error) {
    if (databaseTrouble(error) !== undefined) throw error;
    await client.query('ROLLBACK TO SAVEPOINT facts');
    return { error };
  }
}

function causeOf({ id, depth }: StoredFact): Cause {
  return { kind: 'fact', id: String(id), depth };
}
