import type { MessageDecision } from '@app/domain/conversations/message-state';
import type { SqlClient } from '../sql-client.ts';

/**
 * What a person found out about a message in doubt; false when it is in doubt no more. One that is to leave again keeps its number: a late report of
 * the first try still finds it, and takes it out of the queue unless it has left. Both may have left, so both count against the day.
 */
export async function decideUnknown(
  client: SqlClient,
  { id, decision }: { id: string; decision: MessageDecision },
): Promise<boolean> {
  const { rowCount } = await client.query(DECIDE[decision], [id]);
  return rowCount === 1;
}

const CLEARED = 'error_code = NULL, error_detail = NULL, owner = NULL, lease_until = NULL';
const DECIDE: Record<MessageDecision, string> = {
  sent: `UPDATE messages SET state = 'accepted', accepted_at = coalesce(accepted_at, clock_timestamp()), ${CLEARED}
          WHERE id = $1 AND state = 'unknown'`,
  // Its time to give up was that of the first try.
  send_again: `UPDATE messages SET state = 'queued', not_before = NULL, give_up_at = NULL, allowance_day = NULL, ${CLEARED}
                WHERE id = $1 AND state = 'unknown'`,
};
