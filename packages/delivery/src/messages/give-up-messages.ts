import { eachApart } from '@app/database/each-apart';
import { readCause } from '@app/domain/events/fact-cause';
import type { MessagePurpose } from '@app/domain/conversations/guard-message';
import { REPEATED_FOR } from '../engine/channel-lease.ts';
import { chargeOfMessage, returnCharges } from '../pace/budget.ts';
import { giveBackDailyAllowance } from '../pace/daily-allowance.ts';
import type { SqlClient } from '../sql-client.ts';
import type { Transact } from './send-claimed.ts';
import { emitMessage } from './emit-message.ts';
import { recountConversations } from '@app/database/conversations/note-messages';

type Found = { id: string; workspace_id: string; attempt: number };
type Lost = Found & { channel_id: string; is_fresh: boolean };
/** A message in doubt whose sender died. */
export type LostMessage = { id: string; workspaceId: string; channelId: string; attempt: number };
type Ended = {
  channel_id: string;
  contact_id: string | null;
  purpose: MessagePurpose;
  allowance_day: string | null;
  cause: unknown;
};

const AT_ONCE = 100;
/** Requests send by themselves, without a connection that shows that they live. */
export const REQUEST_OWNER = 'request:';

/** Called with the error of one message, which is looked at again the next time and holds up no other. */
export type OnFault = (error: unknown, message: { id: string }) => void;

/**
 * What was in the call of a process that died, or that gave no sign for longer than any call takes: nobody knows. Answers with those whose call began
 * a short time ago: a platform that delivers each try once may be sent them again.
 */
export async function giveUpLost(
  client: SqlClient,
  transact: Transact,
  { callMs, aliveLock, onFault }: { callMs: number; aliveLock: number; onFault: OnFault },
): Promise<LostMessage[]> {
  const { rows } = await client.query<Lost>(
    `SELECT id, workspace_id, channel_id, attempt, lease_until > clock_timestamp() - interval '${REPEATED_FOR}' AS is_fresh
       FROM messages WHERE state = 'sending' AND (lease_until < clock_timestamp()
        OR (owner NOT LIKE '${REQUEST_OWNER}%' AND lease_until < clock_timestamp() + make_interval(secs => $1)
            AND pg_try_advisory_xact_lock(hashtextextended(owner, $2)))) ORDER BY send_no LIMIT ${AT_ONCE}`,
    [(callMs - 1_000) / 1_000, aliveLock],
  );
  const givenUp: LostMessage[] = [];
  const giveUp = ({
    id,
    workspace_id: workspaceId,
    channel_id: channelId,
    attempt,
    is_fresh: isFresh,
  }: Lost) =>
    transact(workspaceId, async (inside, emit) => {
      const { rows: lost } = await inside.query<Ended>(
        `UPDATE messages SET state = 'unknown', error_code = 'sender_lost', owner = NULL, lease_until = NULL
          WHERE id = $1 AND state = 'sending' AND attempt = $2 RETURNING channel_id, contact_id, purpose, cause, allowance_day::text AS allowance_day`,
        [id, attempt],
      );
      const outcome = { to: 'unknown', code: 'sender_lost', detail: null } as const;
      for (const { contact_id: contactId, purpose, cause } of lost)
        await emitMessage(
          inside,
          { id, channelId, contactId, purpose, cause: readCause(cause) },
          { outcome, emit },
        );
    }).then(() => isFresh && givenUp.push({ id, workspaceId, channelId, attempt }));
  await eachApart(rows, giveUp, onFault);
  return givenUp;
}

/** What nobody took in its time does not leave any more. */
export async function giveUpExpired(
  client: SqlClient,
  transact: Transact,
  { now, onFault }: { now: number; onFault: OnFault },
): Promise<void> {
  const expired = `state = 'queued' AND give_up_at <= to_timestamp($1::double precision / 1000)
    AND (owner IS NULL OR lease_until < clock_timestamp())`;
  const { rows } = await client.query<Found>(
    `SELECT id, workspace_id, attempt FROM messages WHERE ${expired} ORDER BY send_no LIMIT ${AT_ONCE}`,
    [now],
  );
  const giveUp = ({ id, workspace_id: workspaceId, attempt }: Found) =>
    transact(workspaceId, async (inside, emit) => {
      const { rows: ended } = await inside.query<Ended>(
        `WITH due AS (SELECT id, allowance_day FROM messages WHERE id = $2 AND ${expired} FOR UPDATE)
         UPDATE messages m SET state = 'cancelled', error_code = 'expired', failed_at = clock_timestamp(), owner = NULL, lease_until = NULL,
                allowance_day = NULL FROM due WHERE m.id = due.id
         RETURNING m.channel_id, m.contact_id, m.purpose, m.cause, due.allowance_day::text AS allowance_day`,
        [now, id],
      );
      if (ended.length > 0) await returnCharges(inside, workspaceId, [chargeOfMessage(id, attempt + 1)]);
      for (const {
        channel_id: channelId,
        contact_id: contactId,
        purpose,
        allowance_day: day,
        cause,
      } of ended) {
        if (day !== null) await giveBackDailyAllowance(inside, { workspaceId, channelId }, day);
        if (contactId !== null) await recountConversations(inside, workspaceId, [contactId]);
        const outcome = { to: 'not_sent', code: 'expired' } as const;
        await emitMessage(
          inside,
          { id, channelId, contactId, purpose, cause: readCause(cause) },
          { outcome, emit },
        );
      }
    });
  await eachApart(rows, giveUp, onFault);
}
