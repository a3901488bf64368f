import type { MessageDecision } from '@app/domain/conversations/message-state';
import type { SqlClient } from '../sql-client.ts';

/**
 * What a person found out about a message in doubt; false when it is in doubt no more. One that is to leave again keeps its number: a late report of
 * the first try still finds it, and takes it out of the queue unless it has left. Both may have left, so both count against the day. Where the
 * platform delivers each try once, the same try leaves again: the contact gets it once, whatever became of the first call.
 */
export async function decideUnknown(
  client: SqlClient,
  {
    id,
    decision,
    ignoresRepeats = false,
  }: { id: string; decision: MessageDecision; ignoresRepeats?: boolean },
): Promise<boolean> {
  const isSameTry = decision === 'send_again' && ignoresRepeats;
  const { rowCount } = await client.query(isSameTry ? SEND_SAME_TRY : DECIDE[decision], [id]);
  return rowCount === 1;
}

const CLEARED = 'error_code = NULL, error_detail = NULL, owner = NULL, lease_until = NULL';
const SEND_AGAIN = `state = 'queued', not_before = NULL, give_up_at = NULL, allowance_day = NULL`;
const SEND_SAME_TRY = `UPDATE messages SET ${SEND_AGAIN}, attempt = greatest(attempt - 1, 0), ${CLEARED} WHERE id = $1 AND state = 'unknown'`;
const DECIDE: Record<MessageDecision, string> = {
  sent: `UPDATE messages SET state = 'accepted', accepted_at = coalesce(accepted_at, clock_timestamp()), ${CLEARED}
          WHERE id = $1 AND state = 'unknown'`,
  // Its time to give up was that of the first try.
  send_again: `UPDATE messages SET ${SEND_AGAIN}, ${CLEARED} WHERE id = $1 AND state = 'unknown'`,
};
