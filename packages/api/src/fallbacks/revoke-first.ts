import { recipientState } from '@app/domain/delivery/recipient-state';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import type { DueFallback } from './due-fallback.ts';
import { NOT_WITHDRAWN, type FallbackTimes } from './find-candidates.ts';

const MOST_TRIES = 5;
const RETRY_MS = 15_000;

/**
 * Withdraws the first message of a recipient before anything follows it. The call may be repeated: the platform withdraws a message once. Only its
 * clear answer counts: withdrawn, and the second message may follow. What cannot be withdrawn, or has no answer after five tries, is unknown.
 */
export async function revokeFirst(
  parts: ApiDependencies,
  due: DueFallback,
  { settleMs }: FallbackTimes,
): Promise<void> {
  const { workspaceId, runNo, seq } = due;
  const first = await changeAsSystem(parts, 'delivery', workspaceId, async (scope) => {
    const { rows } = await scope.query<{
      address: string;
      messageId: string | null;
      channelId: string;
      arrived: boolean;
      failed: boolean;
    }>(
      `SELECT r.address, r.provider_message_id AS "messageId", run.channel_id AS "channelId",
              coalesce(r.delivered_at, r.read_at) IS NOT NULL AS arrived,
              r.failed_at IS NOT NULL OR r.state = ${recipientState.refused} AS failed
         FROM delivery_recipients r JOIN delivery_runs run ON run.run_no = r.run_no
        WHERE r.run_no = $1 AND r.seq = $2 AND r.workspace_id = $3`,
      [runNo, seq, workspaceId],
    );
    return rows[0];
  });
  const now = () => parts.clock().getTime();
  const settle = (state: string, code: string | null, dueAt = now()) =>
    changeAsSystem(parts, 'delivery', workspaceId, async (scope) => {
      await scope.query(
        `UPDATE campaign_fallbacks SET state = $4, code = $5, due_at = $6, tries = tries + 1, updated_at = $7
          WHERE workspace_id = $1 AND run_no = $2 AND seq = $3 AND state = 'revoking'`,
        [workspaceId, runNo, seq, state, code, new Date(dueAt), scope.clock()],
      );
    });
  if (!first) return settle('left_out', 'contact_deleted');
  if (first.arrived) return settle('arrived', null);
  // Reported since it was found: there is nothing left to withdraw.
  if (first.failed) return settle('ready', null, now() + settleMs);
  if (first.messageId === null) return settle('unknown', NOT_WITHDRAWN);
  const channel = await parts.messageSender.open(first.channelId).catch(() => null);
  const answer = await channel?.revoke?.(first.address, first.messageId);
  if (answer?.outcome === 'done')
    // What cannot be withdrawn may have arrived without a report.
    return answer.value.isRevoked
      ? settle('ready', null, now() + settleMs)
      : settle('unknown', NOT_WITHDRAWN);
  if (due.tries + 1 >= MOST_TRIES || answer?.outcome === 'refused') return settle('unknown', NOT_WITHDRAWN);
  return settle('revoking', null, now() + RETRY_MS);
}
