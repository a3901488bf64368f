import { advisoryLocks } from '@app/database/advisory-locks';
import type { SqlClient } from '../sql-client.ts';

/**
 * Adds waiting deltas to the runs and the hourly figures and removes them, in one transaction; returns the runs whose
 * counters moved. One process folds at a time, the others find nothing to do.
 */
export async function applyDeltas(client: SqlClient): Promise<number[]> {
  const { rows } = await client.query<{ run_nos: string[] | null }>({
    name: 'delivery_fold',
    text: foldSql,
    values: [],
  });
  return (rows[0]?.run_nos ?? []).map(Number);
}

const foldSql = `
WITH alone AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock(${advisoryLocks.applyCounters}) AS is_alone
), taken AS (
  DELETE FROM delivery_deltas WHERE (SELECT is_alone FROM alone)
    AND ctid = ANY(ARRAY(SELECT ctid FROM delivery_deltas LIMIT 5000)) RETURNING *
), of_runs AS (
  UPDATE delivery_runs r SET accepted = r.accepted + t.accepted, refused = r.refused + t.refused,
    cancelled = r.cancelled + t.cancelled, unknown = r.unknown + t.unknown, sent = r.sent + t.sent,
    delivered = r.delivered + t.delivered, read = r.read + t.read, failed = r.failed + t.failed,
    reported_at = CASE WHEN t.has_arrived THEN now() ELSE r.reported_at END
  FROM (
    SELECT run_no, sum(accepted) AS accepted, sum(refused) AS refused, sum(cancelled) AS cancelled, sum(unknown) AS unknown,
      sum(sent) AS sent, sum(delivered) AS delivered, sum(read) AS read, sum(failed) AS failed,
      bool_or(delivered <> 0 OR read <> 0) AS has_arrived
    FROM taken WHERE run_no IS NOT NULL GROUP BY run_no
  ) t WHERE r.run_no = t.run_no
  RETURNING r.run_no
), of_hours AS (
  INSERT INTO message_stats AS s (workspace_id, channel_id, hour, accepted, refused, sent, delivered, read, failed)
  SELECT workspace_id, channel_id, hour, sum(accepted), sum(refused), sum(sent), sum(delivered), sum(read), sum(failed)
  FROM taken t WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = t.workspace_id)
  GROUP BY workspace_id, channel_id, hour
  ON CONFLICT (workspace_id, hour, channel_id) DO UPDATE SET accepted = s.accepted + excluded.accepted,
    refused = s.refused + excluded.refused, sent = s.sent + excluded.sent, delivered = s.delivered + excluded.delivered,
    read = s.read + excluded.read, failed = s.failed + excluded.failed
)
SELECT array_agg(run_no) AS run_nos FROM of_runs`;
