import type { SqlQueries } from '../sql-queries.ts';

/**
 * After a restore: the installation of before may still exchange with the same account. Every connection waits, with an error that says so, until
 * a person connects it again with its key. Call it in the transaction of the restore.
 */
export async function holdRestoredIntegrations(client: SqlQueries): Promise<void> {
  await client.query(
    `UPDATE integrations SET status = 'error', problem = 'restored', problem_detail = NULL, credentials = NULL, key_hint = NULL,
            next_run_at = NULL, outcomes_place = NULL
      WHERE status <> 'disconnected'`,
    [],
  );
  await client.query(
    `UPDATE integration_runs SET status = 'cancelled', ended_at = now() WHERE ended_at IS NULL`,
    [],
  );
}
