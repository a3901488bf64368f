import type { SqlQueries } from '@app/database/sql-queries';
import type { FactConsumer, StoredFact } from './fact-consumer.ts';
import { THIS_CLUSTER } from './fact-cursors.ts';

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

type CursorRow = {
  next: string;
  running: string[];
  batch: string | null;
  last_id: string;
  is_ours: boolean;
  is_stale: boolean;
};
type DueRow = { upto: string; has_number: boolean; fact: StoredFact | null };

/** Whoever reads on holds the consumer's lock, so that the cursor stands still. */
const READ_CURSOR = `
  SELECT pg_snapshot_xmax(seen)::text AS next, ARRAY(SELECT pg_snapshot_xip(seen)::text) AS running, batch::text, last_id::text,
         moved_at < now() - interval '1 minute' AS is_stale,
         cluster = ${THIS_CLUSTER} AND pg_snapshot_xmax(seen) <= pg_snapshot_xmax(pg_current_snapshot()) AS is_ours
    FROM event_consumers WHERE name = $1`;

const WANTED = `e.id > $3 AND pg_visible_in_snapshot(e.txid, b.upto) AND ($4::text[] IS NULL OR e.type = ANY ($4))`;

/**
 * A fact is due when its transaction is visible in the new snapshot and was not in the one that is stored: those that began
 * since, and those that were running then. So a long transaction holds nobody up, and its facts come when it commits. Snapshot and
 * rows are read by one statement; a batch that was opened goes on up to its own snapshot, page after page by id. Bounds are
 * values of the statement and it has no name: planned for any bound at all, it would read the whole table.
 */
const READ_DUE = `
  WITH batch AS MATERIALIZED (SELECT coalesce($5::pg_snapshot, pg_current_snapshot()) AS upto),
  due AS MATERIALIZED (
    SELECT e.id, e.recorded_at FROM events e, batch b WHERE e.txid >= $1::xid8 AND ${WANTED}
    UNION ALL
    SELECT e.id, e.recorded_at FROM events e, batch b WHERE e.txid = ANY ($2::xid8[]) AND ${WANTED}),
  page AS (SELECT id, recorded_at FROM due ORDER BY id LIMIT $6)
  SELECT b.upto::text, pg_current_xact_id_if_assigned() IS NOT NULL AS has_number, found.fact
    FROM batch b LEFT JOIN (
      SELECT jsonb_build_object('id', e.id, 'workspaceId', e.workspace_id, 'type', e.type, 'version', e.version,
               'subjectKind', e.subject_kind, 'subject', e.subject_id, 'actor', e.actor, 'values', e."values", 'depth', e.depth,
               'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS fact, e.id
        FROM page JOIN events e USING (id, recorded_at)) AS found ON true
   ORDER BY found.id`;

/** Null for a consumer that was never registered. */
export async function readDueFacts(
  client: SqlQueries,
  { name, types }: Pick<FactConsumer, 'name' | 'types'>,
  limit: number,
): Promise<DuePage | null> {
  const [cursor] = (await client.query<CursorRow>(READ_CURSOR, [name])).rows;
  if (!cursor) return null;
  const { next, running, batch, last_id: lastId, is_ours: isOurs, is_stale: isStale } = cursor;
  const isOpen = batch !== null;
  if (!isOurs) return { facts: [], upto: '', isOpen, isOurs, isStale };
  const { rows } = await client.query<DueRow>(READ_DUE, [next, running, lastId, types, batch, limit]);
  // A snapshot does not know its own transaction to be running: what that tells afterwards would count as seen.
  if (rows.some(({ has_number }) => has_number))
    throw new Error('Due facts are read before their transaction writes.');
  return {
    facts: rows.flatMap(({ fact }) => fact ?? []),
    upto: rows[0]!.upto, // of a join that always has a row
    isOpen,
    isOurs,
    isStale,
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
