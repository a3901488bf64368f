import { webhookCallsContract } from '@app/contracts/webhooks/webhook-calls-contract';
import {
  SHOWN_WEBHOOK_CALLS,
  SILENT_AFTER_MS,
  type WebhookCallState,
} from '@app/domain/webhooks/webhook-call';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';

const os = implementEndpoints(webhookCallsContract);

type CallRow = {
  id: string;
  kind: string;
  at: Date;
  state: WebhookCallState;
  status: number;
  milliseconds: number;
  bytes: number;
  outline: string | null;
  answer: string | null;
  channelIds: string[];
};

const COLUMNS =
  'id, kind, at, state, status, milliseconds, bytes, outline, answer, channel_ids AS "channelIds"';
/** The newest of those that were taken, or refused: each have places of their own, so that guesses push nothing out. */
const newest = (which: string) =>
  `(SELECT ${COLUMNS} FROM webhook_calls WHERE workspace_id = $1 AND ${which} ORDER BY at DESC, id DESC LIMIT $2)`;

export const webhookCallsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => {
      const { rows } = await scope.query<CallRow>(
        `${newest('status = 200')} UNION ALL ${newest('status <> 200')} ORDER BY at DESC, id DESC`,
        [scope.workspaceId, SHOWN_WEBHOOK_CALLS],
      );
      const last = await scope.query<{ at: Date | null; connected_at: Date | null }>(
        `SELECT (SELECT max(at) FROM webhook_calls WHERE workspace_id = $1 AND state = 'received') AS at,
                (SELECT min(created_at) FROM channels WHERE workspace_id = $1 AND is_connected) AS connected_at`,
        [scope.workspaceId],
      );
      const { at = null, connected_at: connectedAt = null } = last.rows[0] ?? {};
      const since = at ?? connectedAt;
      return {
        items: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
        lastReceivedAt: at?.toISOString() ?? null,
        isSilent:
          connectedAt !== null &&
          since !== null &&
          scope.clock().getTime() - since.getTime() > SILENT_AFTER_MS,
      };
    }),
  ),
});
