import { lastingErrors } from '@app/domain/messaging/retry-worth';
import type { SqlClient } from './sql-client.ts';

/** A run of up to so many is counted whenever its failures moved; a larger one now and then while they do. */
const SMALL_RUN = 5_000;
const LARGE_PAUSE = '5 minutes';
/** Longer than anybody is told of failures. */
const COUNTED_FOR = '8 days';

/**
 * Counts for runs that ended lately of how many failures the same message may still succeed, where their failures moved since: by the same conditions as
 * `retryable_contacts`, behind the runs, so that nobody who looks at a page goes through a large one.
 */
export async function countRetryable(client: SqlClient): Promise<void> {
  const { rows } = await client.query<{ run_no: string; failures: number }>(
    `SELECT run_no, refused + failed AS failures FROM delivery_runs
      WHERE completed_at >= now() - interval '${COUNTED_FOR}' AND refused + failed <> retryable_of
        AND (total <= ${SMALL_RUN} OR retryable_at IS NULL OR retryable_at < now() - interval '${LARGE_PAUSE}')
      ORDER BY total > ${SMALL_RUN}, run_no DESC`,
  );
  for (const { run_no: runNo, failures } of rows)
    await client.query(
      `UPDATE delivery_runs SET retryable_of = $2, retryable_at = now(), retryable = (
         SELECT count(*) FROM delivery_recipients r
          WHERE r.run_no = $1 AND has_never_arrived(r) AND (r.error_code IS NULL OR r.error_code <> ALL ($3::text[]))
            AND EXISTS (SELECT FROM contacts c WHERE c.id = r.contact_id))
       WHERE run_no = $1`,
      [runNo, failures, lastingErrors],
    );
}
