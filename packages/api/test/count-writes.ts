import type { Pool } from 'pg';

export type WriteCount = {
  /** Rows inserted, updated and deleted while `work` ran, as `contacts: update`; only what was committed. */
  during(work: () => Promise<void>): Promise<Record<string, number>>;
};

/** Written by what goes on beside an act, with the reason why it tells nothing of the act. */
const notCounted: Record<string, string> = {
  'sessions: update': 'a session notes from time to time that it is in use',
  'event_consumers: update': 'a reader of facts notes how far it is, of several acts at once or of each',
};

/**
 * Counts writes, not rows: an act done twice may leave as many rows as one done once, and even the same ones. Each table
 * gets a trigger, so that a table which is new tomorrow is counted too.
 */
export async function countWrites(pool: Pool): Promise<WriteCount> {
  await pool.query(`
    CREATE SCHEMA counted;
    CREATE TABLE counted.writes (place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
    CREATE FUNCTION counted.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO counted.writes (name) VALUES (TG_ARGV[0] || ': ' || lower(TG_OP));
      RETURN NULL;
    END $$`);
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows)
    await pool.query(
      `CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION counted.note('${name}')`,
    );
  // A job is an act's own where it is left; what becomes of it later is not.
  await pool.query(
    `CREATE TRIGGER counted AFTER INSERT ON jobs.job_common FOR EACH ROW EXECUTE FUNCTION counted.note('jobs')`,
  );
  return {
    async during(work) {
      const { rows: before } = await pool.query<{ last: string }>(
        'SELECT coalesce(max(place), 0) AS last FROM counted.writes',
      );
      await work();
      const counts = await pool.query<{ name: string; count: number }>(
        `SELECT name, count(*)::int AS count FROM counted.writes
          WHERE place > $2 AND NOT name = ANY ($1) GROUP BY name ORDER BY name`,
        [Object.keys(notCounted), before[0]?.last],
      );
      return Object.fromEntries(counts.rows.map(({ name, count }) => [name, count]));
    },
  };
}
