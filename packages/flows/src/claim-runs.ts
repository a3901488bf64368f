import type { SqlQueries } from '@app/database/sql-queries';
import { runClasses } from './flow-host.ts';

const LEASE_MS = 15_000;
const classes = Object.values(runClasses).toSorted((one, other) => one - other);

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
  // One class at a time: over all of them the index would be read through everything that waits, on servers that cannot skip in it.
  const firsts = classes.map(
    (one) =>
      `(SELECT class, workspace_id FROM flow_runs WHERE class = ${one} AND ${isDue} AND workspace_id <> ALL ($2::uuid[]) ORDER BY due_at LIMIT 1)`,
  );
  const { rows: next } = await pool.query<{ workspace_id: string; class: number }>(
    `SELECT workspace_id, class FROM (${firsts.join(' UNION ALL ')}) AS f ORDER BY class LIMIT 1`,
    [new Date(now), served],
  );
  const [first] = next;
  if (!first) return null;
  const { workspace_id: workspaceId } = first;
  const { rows: runs } = await pool.query<{ id: string; attempt: number }>(
    `UPDATE flow_runs SET owner = $3, lease_until = $4, attempt = least(attempt + 1, 1000)
      WHERE id IN (SELECT id FROM flow_runs WHERE ${isDue} AND class = $6 AND workspace_id = $2 ORDER BY due_at LIMIT $5 FOR UPDATE SKIP LOCKED)
     RETURNING id, attempt`,
    [new Date(now), workspaceId, ownerId, new Date(now + LEASE_MS), atOnce, first.class],
  );
  return { workspaceId, runs };
}
