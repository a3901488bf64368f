import type { SqlQueries } from '@app/database/sql-queries';

const LEASE_MS = 15_000;

export type Claim = { workspaceId: string; runs: { id: string; attempt: number }[] };

/**
 * Takes runs that are due, of one workspace, for some seconds; committed by itself. People who wait come first, then single events, then the rest.
 * A workspace that had its turn lets others pass first.
 */
export async function claimRuns(
  pool: SqlQueries,
  {
    ownerId,
    now,
    atOnce,
    served,
  }: { ownerId: string; now: number; atOnce: number; served: readonly string[] },
): Promise<Claim | null> {
  const isDue = `due_at <= $1 AND (lease_until IS NULL OR lease_until < $1)`;
  const { rows: next } = await pool.query<{ workspace_id: string }>(
    `SELECT workspace_id FROM flow_runs WHERE ${isDue} AND workspace_id <> ALL ($2::uuid[]) ORDER BY class, due_at LIMIT 1`,
    [new Date(now), served],
  );
  const workspaceId = next[0]?.workspace_id;
  if (workspaceId === undefined) return null;
  const { rows: runs } = await pool.query<{ id: string; attempt: number }>(
    `UPDATE flow_runs SET owner = $3, lease_until = $4, attempt = least(attempt + 1, 1000)
      WHERE id IN (SELECT id FROM flow_runs WHERE ${isDue} AND workspace_id = $2 ORDER BY class, due_at LIMIT $5 FOR UPDATE SKIP LOCKED)
     RETURNING id, attempt`,
    [new Date(now), workspaceId, ownerId, new Date(now + LEASE_MS), atOnce],
  );
  return { workspaceId, runs };
}
