import type { SqlQueries } from '../sql-queries.ts';

/** After a restore: second messages that waited may have left since the backup, so none of them is sent. Call it in the transaction of the restore. */
export async function holdRestoredFallbacks(client: SqlQueries): Promise<void> {
  await client.query(
    `UPDATE campaign_fallbacks SET state = 'unknown', code = 'restored', updated_at = now() WHERE state IN ('revoking', 'ready')`,
  );
}
