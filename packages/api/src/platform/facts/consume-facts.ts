import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import { runAfterwards, type Afterwards } from '../workspace-scope.ts';
import type { FactConsumer, FactLogParts, StoredFact } from './fact-consumer.ts';
import { tryToHandle, type Handling } from './try-to-handle.ts';
import { moveCursor, readDueFacts } from './read-due-facts.ts';
import { describeFailure, findBlockedSubjects, deadLetter, subjectKey } from './dead-letter-facts.ts';

const PAGE = 500;

/** `idle`: all that was told before is handled. `taken`: another process reads for this consumer. `foreign`: its cursor is of another cluster, and nothing is read by it. */
export type PageOutcome = 'idle' | 'more' | 'taken' | 'foreign';

/** Handles what is due, up to one page, in the transaction that moves the cursor. */
export async function consumePage(parts: FactLogParts, consumer: FactConsumer): Promise<PageOutcome> {
  const afterwards: Afterwards = [];
  const outcome = await parts.db.inSystem(async (tx, client): Promise<PageOutcome> => {
    // Neither the lock nor the reading gives the transaction a number; the first write does.
    const { rows } = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.factConsumer})) AS held`,
      [consumer.name],
    );
    if (rows[0]?.held !== true) return 'taken';
    const page = await readDueFacts(client, consumer, PAGE);
    if (!page?.isOurs) return 'foreign';
    const { facts, upto, isOpen, isStale } = page;
    if (facts.length === 0 && !isOpen && !isStale) return 'idle';
    await handleFacts({ ...parts, tx, client, afterwards }, consumer, facts);
    const isWhole = facts.length === PAGE;
    await moveCursor(client, consumer.name, { upto, lastId: isWhole ? facts[PAGE - 1]!.id : null });
    // Behind a batch of an earlier page there may be what was told since it was opened.
    return isWhole || isOpen ? 'more' : 'idle';
  });
  await runAfterwards(afterwards, parts.logger);
  return outcome;
}

/**
 * The names of the consumers for which something is due, by one statement. `lately` looks at the facts of the last two days only, which is
 * enough for a consumer that reads all the time.
 */
export async function findDueConsumers(
  db: Database,
  consumers: readonly Pick<FactConsumer, 'name' | 'types'>[],
  { lately }: { lately: boolean },
): Promise<ReadonlySet<string>> {
  const asked = consumers.map(({ name, types }) => ({ name, types }));
  const { rows } = await db.systemPool.query<{ name: string }>(
    `SELECT w.name FROM jsonb_to_recordset($1) AS w (name text, types text[])
      CROSS JOIN LATERAL (SELECT * FROM read_due_events(w.name, w.types, 1, $2) LIMIT 1) AS d
      WHERE d.is_ours AND (d.fact IS NOT NULL OR d.is_open OR d.is_stale)`,
    [JSON.stringify(asked), lately],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Those of one workspace together; when that fails, each alone, and what fails alone is set aside. */
async function handleFacts(
  handling: Handling,
  consumer: FactConsumer,
  facts: readonly StoredFact[],
): Promise<void> {
  const isOrdered = consumer.order === 'subject';
  const blocked = isOrdered ? await findBlockedSubjects(handling.client, consumer.name) : new Set<string>();
  // One order of workspaces for everybody who takes locks in several.
  const groups = [...Map.groupBy(facts, ({ workspaceId }) => workspaceId)];
  for (const [workspaceId, own] of groups.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const free = own.filter((fact) => !blocked.has(subjectKey(fact)));
    const waiting = own.filter((fact) => blocked.has(subjectKey(fact)));
    if (free.length > 0 && (await tryToHandle(handling, consumer, workspaceId, free)) !== null) {
      for (const fact of free) {
        const key = subjectKey(fact);
        if (isOrdered && blocked.has(key)) {
          waiting.push(fact);
          continue;
        }
        const failure = await tryToHandle(handling, consumer, workspaceId, [fact]);
        if (failure === null) continue;
        const { logger, client } = handling;
        logger.error(
          { err: failure.error, consumer: consumer.name, factId: fact.id },
          'a fact was set aside',
        );
        await deadLetter(client, consumer.name, [fact], describeFailure(failure.error));
        if (isOrdered && fact.subject !== null) blocked.add(key);
      }
    }
    await deadLetter(handling.client, consumer.name, waiting, null);
  }
}
