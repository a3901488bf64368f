import type { SqlQueries } from '@app/database/sql-queries';
import { classesInOrder } from './flow-host.ts';
import { plannedRuns, workspacesWithSql } from './workspaces-with.ts';

const LEASE_MS = 15_000;

export type Claim = {
  workspaceId: string;
  /** One of `runClasses`, of all of these runs. */
  class: number;
  /** No other workspace has something due: everybody's turn begins anew. */
  wasServed: boolean;
  runs: { id: string; attempt: number }[];
};

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
  // From one workspace to the next in the index: a workspace with a million due runs is one row here. The limit keeps it so: an EXISTS became
  // a join that read every due run.
  const { rows: next } = await pool.query<{ workspace_id: string; class: number; was_served: boolean }>(
    `WITH RECURSIVE waiting AS (
       ${workspacesWithSql('waiting', 'flow_runs', plannedRuns)})
     SELECT w.workspace_id, c.class, w.workspace_id = ANY ($2::uuid[]) AS was_served
       FROM waiting w CROSS JOIN unnest($3::integer[]) AS c (class)
      CROSS JOIN LATERAL (SELECT FROM flow_runs
                           WHERE workspace_id = w.workspace_id AND class = c.class AND ${isDue} ORDER BY due_at LIMIT 1) AS first
      ORDER BY was_served, c.class LIMIT 1`,
    [new Date(now), served, classesInOrder],
  );
  const [first] = next;
  if (!first) return null;
  const { workspace_id: workspaceId, was_served: wasServed } = first;
  // Nothing waits for the disk: a claim that a crash loses is made again, and what its owner commits comes after it in the journal.
  const { rows: runs } = await pool.query<{ id: string; attempt: number }>(
    `WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
     UPDATE flow_runs SET owner = $3, lease_until = $4, attempt = least(attempt + 1, 1000) FROM quick
      WHERE id IN (SELECT id FROM flow_runs WHERE ${isDue} AND class = $6 AND workspace_id = $2 ORDER BY due_at LIMIT $5 FOR UPDATE SKIP LOCKED)
     RETURNING id, attempt`,
    [new Date(now), workspaceId, ownerId, new Date(now + LEASE_MS), atOnce, first.class],
  );
  return { workspaceId, class: first.class, wasServed, runs };
}
