import type { SqlClient } from './sql-client.ts';

export type UnnotedRun = { runNo: number; workspaceId: string; total: number; results: number };

/** A run of up to so many is looked through each time; a larger one now and then, and once more behind the last report. */
const SMALL_RUN = 5_000;
/** The older a large run, the fewer reports still come and the longer they may wait. */
const LARGE_PAUSE = `greatest(interval '5 minutes', least(interval '1 day', (now() - created_at) / 10))`;

/**
 * Runs of which somebody received or read something that the contacts do not know of yet, by the counters alone. The newest first, so that
 * whoever is in many of them is written once.
 */
export async function findUnnotedRuns(client: SqlClient, size: 'small' | 'large'): Promise<UnnotedRun[]> {
  const isDue =
    size === 'small'
      ? `total <= ${SMALL_RUN}`
      : `total > ${SMALL_RUN} AND (noted_at IS NULL OR noted_at < now() - ${LARGE_PAUSE})`;
  const { rows } = await client.query<{
    run_no: string;
    workspace_id: string;
    total: number;
    results: number;
  }>(
    `SELECT run_no, workspace_id, total, delivered + read AS results FROM delivery_runs
      WHERE delivered + read <> noted_results AND ${isDue} ORDER BY created_at DESC, run_no DESC`,
  );
  return rows.map((row) => ({ ...row, runNo: Number(row.run_no), workspaceId: row.workspace_id }));
}

/** All of it was looked through since `results` were counted: what came meanwhile has the next look. */
export async function markNoted(
  client: SqlClient,
  { runNo, results }: Pick<UnnotedRun, 'runNo' | 'results'>,
): Promise<void> {
  await client.query('UPDATE delivery_runs SET noted_results = $2, noted_at = now() WHERE run_no = $1', [
    runNo,
    results,
  ]);
}
