import { recountConversations } from '@app/database/conversations/note-messages';
import { chargeOfMessage, returnCharges } from '../pace/budget.ts';
import { giveBackDailyAllowance } from '../pace/daily-allowance.ts';
import { rememberKnownAs } from '@app/database/contact-merges/contact-aliases';
import type { SqlClient } from '../sql-client.ts';
import type { OwnMessage } from './claim-message.ts';
import type { MessageOutcome } from './message-outcome.ts';
import { emitMessage, type EmitFact } from './emit-message.ts';

/**
 * Stores what became of a try, in a transaction of its own, and tells it. A report of the platform that came first stays; what was given up as
 * unknown meanwhile becomes what it is, but never goes back to the queue.
 */
export async function settleMessage(
  client: SqlClient,
  message: OwnMessage,
  { outcome, emit }: { outcome: MessageOutcome; emit: EmitFact },
): Promise<void> {
  const { id, attempt, workspaceId, contactId } = message;
  const isOpen = `m.id = $1 AND m.attempt = $2 AND m.state IN ('sending', 'unknown')`;
  if (outcome.to === 'queued') {
    const { rowCount } = await client.query(
      `UPDATE messages m SET state = 'queued', not_before = clock_timestamp() + make_interval(secs => $3), error_code = $4,
              owner = NULL, lease_until = NULL, allowance_day = NULL WHERE ${isOpen} AND m.state = 'sending'`,
      [id, attempt, outcome.afterMs / 1_000, outcome.code],
    );
    if (rowCount === 1) return giveBack(client, message);
    // It was given up meanwhile, and nobody waits for another try.
    const notSent = { to: 'not_sent', code: outcome.code ?? 'not_sent' } as const;
    return settleMessage(client, message, { outcome: notSent, emit });
  }
  const { rowCount } = await client.query(SETTLE_AS[outcome.to](isOpen), [
    ...[id, attempt],
    ...(outcome.to === 'accepted'
      ? [outcome.providerMessageId]
      : [outcome.code, outcome.to === 'not_sent' ? null : outcome.detail]),
  ]);
  if (outcome.to === 'accepted' && outcome.knownAs !== undefined && contactId !== null)
    await rememberKnownAs(client, [{ workspaceId, contactId, knownAs: outcome.knownAs }]);
  if (rowCount === 0) return;
  if (outcome.to === 'not_sent') await giveBack(client, message);
  if (outcome.to === 'refused') await returnCharges(client, workspaceId, [chargeOfMessage(id, attempt)]);
  // Whoever wrote still waits for an answer.
  const isFailed = outcome.to === 'refused' || outcome.to === 'not_sent';
  if (isFailed && contactId !== null) await recountConversations(client, workspaceId, [contactId]);
  await emitMessage(client, message, { outcome, emit });
}

const ENDED = 'owner = NULL, lease_until = NULL';
const SETTLE_AS: Record<Exclude<MessageOutcome['to'], 'queued'>, (isOpen: string) => string> = {
  // Another row with the platform's id would be a copy of this one.
  accepted: (
    isOpen,
  ) => `UPDATE messages m SET state = 'accepted', accepted_at = coalesce(m.accepted_at, clock_timestamp()), error_code = NULL,
    error_detail = NULL, failed_at = NULL, ${ENDED}, provider_message_id = CASE WHEN EXISTS (
      SELECT FROM messages o WHERE o.workspace_id = m.workspace_id AND o.provider_message_id = $3 AND o.id <> m.id) THEN NULL ELSE $3 END
    WHERE ${isOpen}`,
  refused: (
    isOpen,
  ) => `UPDATE messages m SET state = 'refused', failed_at = clock_timestamp(), error_code = $3, error_detail = $4, ${ENDED}
    WHERE ${isOpen}`,
  not_sent: (
    isOpen,
  ) => `UPDATE messages m SET state = 'cancelled', failed_at = clock_timestamp(), error_code = $3, error_detail = $4,
    allowance_day = NULL, ${ENDED} WHERE ${isOpen}`,
  unknown: (isOpen) => `UPDATE messages m SET state = 'unknown', error_code = $3, error_detail = $4, ${ENDED}
    WHERE ${isOpen} AND m.state = 'sending'`,
};

async function giveBack(client: SqlClient, message: OwnMessage): Promise<void> {
  const { id, attempt, workspaceId, allowanceDay } = message;
  await returnCharges(client, workspaceId, [chargeOfMessage(id, attempt)]);
  if (allowanceDay !== null) await giveBackDailyAllowance(client, message, allowanceDay);
}
