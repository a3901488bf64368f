import { advisoryLocks } from '@app/database/advisory-locks';
import type { Database } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import type { FactConsumer } from './fact-consumer.ts';

const THIS_CLUSTER = '(SELECT system_identifier::text FROM pg_control_system())';

/** Transactions of before everything: PostgreSQL itself calls them frozen. */
const ALWAYS_SEEN = `'3'::xid8`;

/** A consumer that is new begins with what is told from now on. */
export async function registerConsumers(db: Database, consumers: readonly FactConsumer[]): Promise<void> {
  for (const { name } of consumers)
    await db.systemPool.query(
      `INSERT INTO event_consumers (name, seen, cluster) SELECT $1, pg_current_snapshot(), ${THIS_CLUSTER}
       ON CONFLICT (name) DO NOTHING`,
      [name],
    );
}

/**
 * After a restore into another cluster the numbers of transactions mean others, and a cursor of there would skip or repeat
 * facts without end. Rows and cursors came together, so they still say among themselves what was handled: that is written down in the
 * numbers of here. Whatever one consumer has not seen is due again for all. True when something was set anew.
 */
export async function adoptCursors(db: Database): Promise<boolean> {
  if (!(await findForeign(db.systemPool))) return false;
  return db.inSystem(async (_, client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.factCursors]);
    // Before this transaction writes and so has a number: what it stamps below lies beyond this snapshot.
    const { rows } = await client.query<{ now: string }>('SELECT pg_current_snapshot()::text AS now');
    if (!(await findForeign(client))) return false;
    await client.query('LOCK TABLE event_consumers, events IN SHARE ROW EXCLUSIVE MODE');
    await client.query(
      `UPDATE events e SET txid = CASE WHEN EXISTS (
           SELECT FROM event_consumers c WHERE NOT pg_visible_in_snapshot(e.txid, c.seen)
              AND NOT (c.batch IS NOT NULL AND pg_visible_in_snapshot(e.txid, c.batch) AND e.id <= c.last_id))
         THEN pg_current_xact_id() ELSE ${ALWAYS_SEEN} END`,
    );
    await client.query(
      `UPDATE event_consumers SET seen = $1::pg_snapshot, batch = NULL, last_id = 0, cluster = ${THIS_CLUSTER}, moved_at = now()`,
      [rows[0]!.now], // it is one row
    );
    return true;
  });
}

async function findForeign(client: SqlQueries): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM event_consumers WHERE cluster <> ${THIS_CLUSTER}
        OR pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot()) LIMIT 1`,
  );
  return rowCount !== 0;
}
