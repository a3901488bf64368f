import type { SqlQueries } from '@app/database/sql-queries';
import type { FactConsumer, StoredFact } from './fact-consumer.ts';

export type DuePage = {
  facts: StoredFact[];
  /** The snapshot up to which this batch reads. */
  upto: string;
  /** Whether the batch was opened by an earlier page: what was told since its snapshot is not among these. */
  isOpen: boolean;
  /** Whether the cursor counts transactions of this cluster; with any other it must not be used. */
  isOurs: boolean;
  /** Nothing was due for a while: the cursor moves all the same, so that old days can go. */
  isStale: boolean;
};

type DueRow = {
  is_ours: boolean;
  is_open: boolean;
  is_stale: boolean;
  has_number: boolean;
  upto: string;
  fact: StoredFact | null;
};

/**
 * A fact is due when its transaction is visible in the new snapshot and was not in the one that is stored: those that began
 * since, and those that were running then. So a long transaction holds nobody up, and its facts come when it commits. Snapshot and
 * rows are read by one statement; a batch that was opened goes on up to its own snapshot, page after page by id. Whoever reads on
 * holds the consumer's lock, so that the cursor stands still. Null for a consumer that was never registered.
 */
export async function readDueFacts(
  client: SqlQueries,
  { name, types }: Pick<FactConsumer, 'name' | 'types'>,
  limit: number,
  { lately }: { lately: boolean } = { lately: false },
): Promise<DuePage | null> {
  const { rows } = await client.query<DueRow>('SELECT * FROM read_due_events($1, $2, $3, $4)', [
    name,
    types,
    limit,
    lately,
  ]);
  const [first] = rows;
  if (!first) return null;
  // A snapshot does not know its own transaction to be running: what that tells afterwards would count as seen.
  if (first.has_number) throw new Error('Due facts are read before their transaction writes.');
  return {
    facts: rows.flatMap(({ fact }) => fact ?? []),
    upto: first.upto,
    isOpen: first.is_open,
    isOurs: first.is_ours,
    isStale: first.is_stale,
  };
}

/** Behind a whole page the batch stays open; behind the last one everything up to its snapshot is seen. */
export async function moveCursor(
  client: SqlQueries,
  name: string,
  { upto, lastId }: { upto: string; lastId: number | null },
): Promise<void> {
  await client.query(
    lastId === null
      ? `UPDATE event_consumers SET seen = $2::pg_snapshot, batch = NULL, last_id = 0, moved_at = now() WHERE name = $1`
      : `UPDATE event_consumers SET batch = $2::pg_snapshot, last_id = $3, moved_at = now() WHERE name = $1`,
    lastId === null ? [name, upto] : [name, upto, lastId],
  );
}
