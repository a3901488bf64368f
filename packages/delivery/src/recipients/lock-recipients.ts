import type { RunRecipient } from '@app/domain/contact-merges/merge-rules';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { SqlQueries } from '@app/database/sql-queries';

/**
 * The recipients of these contacts in all runs, locked in the order in which the engine locks them. They are locked before the
 * contacts, as by everybody who takes both.
 */
export async function lockRecipients(
  client: SqlQueries,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<RunRecipient[]> {
  const { rows } = await client.query<{
    run_no: string;
    seq: number;
    contact_id: string;
    progress: RunRecipient['progress'];
  }>(
    `SELECT r.run_no, r.seq, r.contact_id,
            CASE WHEN r.state IN (${recipientState.refused}, ${recipientState.cancelled}) THEN 'ended'
                 WHEN run.completed_at IS NULL AND run.state IN ('ready', 'running', 'paused')
                  AND (r.state = ${recipientState.waiting} OR (r.state = ${recipientState.pending} AND r.seq >= run.cursor)) THEN 'waiting'
                 ELSE 'handed' END AS progress
       FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
      WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) ORDER BY r.run_no, r.seq FOR UPDATE OF r`,
    [workspaceId, contactIds],
  );
  return rows.map((row) => ({
    runNo: row.run_no,
    seq: row.seq,
    contactId: row.contact_id,
    progress: row.progress,
  }));
}
