import type { SqlQueries } from '../sql-queries.ts';

/**
 * After a restore: the installation of before may still send, or may have sent since the backup. Every endpoint is paused until a person resumes it.
 * Call it in the transaction of the restore.
 */
export async function holdRestoredWebhooks(client: SqlQueries): Promise<void> {
  await client.query(
    `UPDATE webhook_endpoints SET paused_at = coalesce(paused_at, now()), pause_reason = coalesce(pause_reason, 'restored'),
            lease_owner = NULL, lease_until = NULL`,
  );
}
