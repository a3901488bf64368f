import type { SqlClient } from './sql-client.ts';

/** How far the numbers of runs and messages go ahead, so that reports about what left after the backup find nobody else. */
const AHEAD = 1_000_000;

/**
 * After a restore: what was under way when the backup was made may have left since, and nobody but a person can say so. Runs stand paused
 * and do not go on by themselves, and nobody holds a number. Call it in the transaction of the restore.
 */
export async function holdRestoredRuns(client: SqlClient): Promise<number> {
  const held = await pauseRestoredRuns(client);
  await client.query(
    `UPDATE delivery_channels SET owner = NULL, lease_until = NULL, hold_until = NULL, next_reply_at = NULL, next_flow_at = NULL`,
  );
  for (const name of ['delivery_run_small', 'delivery_run_large', 'message_numbers'])
    await client.query(`SELECT setval($1::regclass, last_value + ${AHEAD}) FROM ${name}`, [name]);
  return held;
}

/** The runs alone that the connection sees. Answers with how many they are. */
export async function pauseRestoredRuns(client: SqlClient): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE delivery_runs SET state = 'paused', pause_reason = 'restored', pause_code = NULL, pause_detail = NULL, resume_at = NULL
      WHERE state IN ('ready', 'running') OR (state = 'paused' AND resume_at IS NOT NULL)`,
  );
  return rowCount ?? 0;
}
