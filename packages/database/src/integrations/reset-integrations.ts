import type { SqlQueries } from '../sql-queries.ts';

/**
 * Contacts of the workspace are about to go, or to be replaced: what is known of records belongs to contacts of before. A connection begins anew,
 * with a preview, and a run under way ends.
 */
export async function resetIntegrations(client: SqlQueries, workspaceId: string): Promise<void> {
  // The connections first, as the steps of a run lock them.
  await client.query(
    `UPDATE integrations SET is_started = mapping = '[]', cursor = NULL, items_cursor = NULL, outcomes_place = NULL, next_run_at = NULL, version = version + 1 WHERE workspace_id = $1`,
    [workspaceId],
  );
  await client.query(
    `UPDATE integration_runs SET status = 'cancelled', ended_at = now() WHERE workspace_id = $1 AND ended_at IS NULL`,
    [workspaceId],
  );
  await client.query(
    `DELETE FROM integration_runs WHERE workspace_id = $1 AND (trigger = 'preview' OR ended_at IS NOT NULL)`,
    [workspaceId],
  );
  await client.query('DELETE FROM integration_records WHERE workspace_id = $1', [workspaceId]);
  await client.query('DELETE FROM integration_items WHERE workspace_id = $1', [workspaceId]);
}

/** The same, and the credentials go: nothing is exchanged with any account from now on. */
export async function disconnectIntegrations(client: SqlQueries, workspaceId: string): Promise<void> {
  await resetIntegrations(client, workspaceId);
  await client.query(
    `UPDATE integrations SET status = 'disconnected', credentials = NULL, key_hint = NULL, account = NULL, problem = NULL, problem_detail = NULL,
            records_synced = 0, last_synced_at = NULL, last_duration_ms = NULL
      WHERE workspace_id = $1`,
    [workspaceId],
  );
}
