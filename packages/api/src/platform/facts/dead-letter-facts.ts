import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import { runAfterwards, type Afterwards } from '../workspace-scope.ts';
import type { FactConsumer, FactLogParts, StoredFact } from './fact-consumer.ts';
import { tryToHandle } from './try-to-handle.ts';

/** For `order: subject`. What is about nothing in particular waits for nothing. */
export function subjectKey({ workspaceId, subjectKind, subject, id }: StoredFact): string {
  return `${workspaceId} ${subject === null ? `fact ${id}` : `${subjectKind} ${subject}`}`;
}

/** Subjects of which a fact is set aside for the consumer. */
export async function findBlockedSubjects(client: SqlQueries, consumer: string): Promise<Set<string>> {
  const { rows } = await client.query<{ fact: StoredFact }>(
    `SELECT DISTINCT ON (workspace_id, subject_kind, subject_id) fact FROM fact_dead_letters
      WHERE consumer = $1 AND subject_id IS NOT NULL`,
    [consumer],
  );
  return new Set(rows.map(({ fact }) => subjectKey(fact)));
}

/** With an error, or without one for those that wait behind another of their subject. */
export async function deadLetter(
  client: SqlQueries,
  consumer: string,
  facts: readonly StoredFact[],
  error: string | null,
): Promise<void> {
  if (facts.length === 0) return;
  await client.query(
    `INSERT INTO fact_dead_letters (consumer, event_id, workspace_id, type, subject_kind, subject_id, fact, error, tries)
     SELECT $1, (fact->>'id')::bigint, (fact->>'workspaceId')::uuid, fact->>'type', fact->>'subjectKind', (fact->>'subject')::uuid,
            fact, $3, CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END
       FROM jsonb_array_elements($2::jsonb) AS fact
      WHERE EXISTS (SELECT FROM workspaces WHERE id = (fact->>'workspaceId')::uuid)
     ON CONFLICT (consumer, event_id) DO NOTHING`,
    [consumer, JSON.stringify(facts), error],
  );
}

export type DeadLetterFact = {
  consumer: string;
  factId: number;
  type: string;
  /** Null while it waits for an earlier one of its subject. */
  error: string | null;
  tries: number;
  deadLetteredAt: Date;
};

/** For the operator, of all workspaces; ids and kinds, no values. */
export async function listDeadLettersInAllWorkspaces(db: Database): Promise<DeadLetterFact[]> {
  const { rows } = await db.systemPool.query<DeadLetterFact>(
    `SELECT consumer, event_id::float8 AS "factId", type, error, tries, dead_lettered_at AS "deadLetteredAt"
       FROM fact_dead_letters ORDER BY consumer, event_id LIMIT 1000`,
  );
  return rows;
}

/**
 * Tries a fact again, and after it those that waited for it, in their order, until one fails. Answers with how many went well;
 * null when it is not set aside.
 */
export async function retryDeadLetter(
  parts: FactLogParts,
  consumer: FactConsumer,
  factId: number,
): Promise<number | null> {
  const afterwards: Afterwards = [];
  const done = await parts.db.inSystem(async (tx, client) => {
    // Whoever reads for the consumer must not pass by meanwhile.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.factConsumer}))`, [
      consumer.name,
    ]);
    const { rows } = await client.query<{ fact: StoredFact }>(
      `SELECT later.fact FROM fact_dead_letters first JOIN fact_dead_letters later
          ON later.consumer = first.consumer AND (later.event_id = first.event_id OR later.error IS NULL
             AND later.workspace_id = first.workspace_id AND later.subject_kind = first.subject_kind AND later.subject_id = first.subject_id)
        WHERE first.consumer = $1 AND first.event_id = $2 AND first.error IS NOT NULL ORDER BY later.event_id`,
      [consumer.name, factId],
    );
    if (rows.length === 0) return null;
    let handled = 0;
    for (const { fact } of rows) {
      const failure = await tryToHandle({ ...parts, tx, client, afterwards }, consumer, fact.workspaceId, [
        fact,
      ]);
      if (failure) {
        await client.query(
          `UPDATE fact_dead_letters SET error = $3, tries = tries + 1, dead_lettered_at = now()
            WHERE consumer = $1 AND event_id = $2`,
          [consumer.name, fact.id, describeFailure(failure.error)],
        );
        break;
      }
      await client.query('DELETE FROM fact_dead_letters WHERE consumer = $1 AND event_id = $2', [
        consumer.name,
        fact.id,
      ]);
      handled += 1;
    }
    return handled;
  });
  await runAfterwards(afterwards, parts.logger);
  return done;
}

/**
 * Tries again what was set aside for these consumers, in the order of the facts. What has been mended since is handled now. Says how many facts
 * were handled and how many are left.
 */
export async function retryDeadLetters(
  parts: FactLogParts,
  consumers: readonly FactConsumer[],
  isStopped: () => boolean = () => false,
): Promise<{ handled: number; left: number }> {
  const names = consumers.map(({ name }) => name);
  let handled = 0;
  for (const consumer of consumers) {
    const { rows } = await parts.db.systemPool.query<{ id: number }>(
      `SELECT event_id::float8 AS id FROM fact_dead_letters WHERE consumer = $1 AND error IS NOT NULL ORDER BY event_id`,
      [consumer.name],
    );
    for (const { id } of rows) if (!isStopped()) handled += (await retryDeadLetter(parts, consumer, id)) ?? 0;
  }
  const { rows } = await parts.db.systemPool.query<{ left: number }>(
    'SELECT count(*)::integer AS left FROM fact_dead_letters WHERE consumer = ANY ($1)',
    [names],
  );
  const left = rows[0]?.left ?? 0;
  if (handled + left > 0) parts.logger.info({ handled, left }, 'facts that were set aside were tried again');
  return { handled, left };
}

/** Kind, code and place; a message may repeat what it failed on. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'Something that is no error was thrown.';
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  const place = error.stack?.match(/[\w-]+\.ts:\d+/)?.[0];
  return `${error.name}${code}${place === undefined ? '' : ` at ${place}`}`;
}
