import type { Database } from '@app/database/database';
import { DAYS_FACTS_KEPT } from '@app/domain/data-management/retention';

const AHEAD = 7;
/** Making and dropping a day locks the whole table for a moment: behind a long reader it is left for the next time. */
const LOCK_MS = 2_000;

/** Makes the days to come, and drops those that are over a month old and that every consumer has left. Run it now and then. */
export async function keepFactDays(db: Database): Promise<void> {
  await db.inSystem(async (_, client) => {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    await client.query('SELECT ensure_event_days($1)', [AHEAD]);
  });
  for (const day of await findOldDays(db)) {
    await db.inSystem(async (_, client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      if (await isLeft(client, day)) await client.query(`DROP TABLE ${day}`);
    });
  }
  await db.systemPool.query(
    `DELETE FROM events_rest e WHERE recorded_at < now() - interval '${DAYS_FACTS_KEPT} days'
        AND NOT EXISTS (SELECT FROM event_consumers c WHERE NOT pg_visible_in_snapshot(e.txid, c.seen))`,
  );
}

async function findOldDays(db: Database): Promise<string[]> {
  const { rows } = await db.systemPool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass AND relname ~ '^events_[0-9]{8}$'
        AND to_date(right(relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - ${DAYS_FACTS_KEPT} ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** The name is one of ours: it matched the pattern above. */
async function isLeft(client: Pick<Database['systemPool'], 'query'>, day: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM ${day} e, event_consumers c WHERE NOT pg_visible_in_snapshot(e.txid, c.seen) LIMIT 1`,
  );
  return rowCount === 0;
}
