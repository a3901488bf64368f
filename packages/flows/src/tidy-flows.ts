import type { SqlQueries } from '@app/database/sql-queries';

/** So long runs that are over, their log, and refused starts are kept, in days. */
export const DAYS_RUNS_KEPT = 30;
const AT_ONCE = 5_000;
const LOCK_MS = 2_000;

type InSystem = <Result>(work: (client: SqlQueries) => Promise<Result>) => Promise<Result>;

/** Makes the weeks of the log to come, drops those that are over, and deletes some of the runs and starts that have been kept for long enough. */
export async function tidyFlows(inSystem: InSystem, now: Date): Promise<void> {
  await inSystem(async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    await client.query('SELECT ensure_flow_log_weeks(2)');
  });
  const before = new Date(now.getTime() - DAYS_RUNS_KEPT * 86_400_000);
  const weeks = await inSystem(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'flow_log'::regclass AND relname ~ '^flow_log_[0-9]{8}$'
          AND to_date(right(relname, 8), 'YYYYMMDD') + 7 < $1::date ORDER BY 1`,
      [before],
    );
    return rows.map(({ name }) => name);
  });
  for (const week of weeks)
    await inSystem(async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      // The name is one of ours: it matched the pattern above.
      await client.query(`DROP TABLE ${week}`);
    });
  for (const statement of [
    'DELETE FROM flow_log_rest WHERE ended_at < $1',
    `DELETE FROM flow_runs WHERE id IN (SELECT id FROM flow_runs WHERE ended_at < $1 LIMIT ${AT_ONCE})`,
    `DELETE FROM flow_sweeps WHERE id IN (SELECT id FROM flow_sweeps WHERE ended_at < $1 LIMIT ${AT_ONCE})`,
    `DELETE FROM flow_hook_calls WHERE id IN (SELECT id FROM flow_hook_calls WHERE at < $1 LIMIT ${AT_ONCE})`,
    // Secrets that no draft and no version names. Undoing brings a reference back for a while: they stay for as long as runs do.
    `DELETE FROM flow_secrets s WHERE created_at < $1
        AND NOT EXISTS (SELECT FROM flows f WHERE f.workspace_id = s.workspace_id AND f.draft::text LIKE '%secret.' || s.id || '%')
        AND NOT EXISTS (SELECT FROM flow_versions v WHERE v.workspace_id = s.workspace_id AND v.content::text LIKE '%secret.' || s.id || '%')`,
    `DELETE FROM flow_starts WHERE id IN (SELECT id FROM flow_starts WHERE settled_at < $1 LIMIT ${AT_ONCE})`,
  ])
    await inSystem((client) => client.query(statement, [before]));
}
