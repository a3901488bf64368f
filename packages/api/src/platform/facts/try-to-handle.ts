import { narrowToWorkspace, widenToSystem, type Queries } from '@app/database/database';
import { databaseTrouble } from '@app/database/query-error';
import type { SqlQueries } from '@app/database/sql-queries';
import { systemCaller } from '@app/domain/auth/caller';
import { openScope, type Afterwards } from '../workspace-scope.ts';
import type { FactConsumer, FactLogParts, StoredFact } from './fact-consumer.ts';

/** The transaction in which facts are handled, and what waits for its commit. */
export type Handling = FactLogParts & { tx: Queries; client: SqlQueries; afterwards: Afterwards };

/** Null when it went well; else nothing of it is left. What the database will bear in a moment fails the whole page. */
export async function tryToHandle(
  { tx, client, afterwards, clock, db, viewers, jobs }: Handling,
  consumer: FactConsumer,
  workspaceId: string,
  facts: readonly StoredFact[],
): Promise<{ error: unknown } | null> {
  await client.query('SAVEPOINT facts');
  const own: Afterwards = [];
  // Of facts that are handled together the deepest stands for all: the guard against loops must not lose count.
  const deepest = facts.reduce((deep, fact) => (fact.depth > deep.depth ? fact : deep), facts[0]!); // there is one
  const scope = openScope({
    caller: systemCaller('facts', workspaceId),
    ...{ tx, client, clock, afterwards: own, origin: null },
    cause: { kind: 'fact', id: String(deepest.id), depth: deepest.depth },
  });
  try {
    await narrowToWorkspace(client, workspaceId);
    await consumer.handle(scope, facts, { db, ...(viewers && { viewers }), ...(jobs && { jobs }) });
    await widenToSystem(client);
    await client.query('RELEASE SAVEPOINT facts');
    afterwards.push(...own);
    return null;
  } catch (error) {
    if (databaseTrouble(error) !== undefined) throw error;
    await client.query('ROLLBACK TO SAVEPOINT facts');
    return { error };
  }
}
