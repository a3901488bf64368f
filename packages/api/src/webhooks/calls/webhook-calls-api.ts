import { webhookCallsContract } from '@app/contracts/webhooks/webhook-calls-contract';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { topicOf, type WebhookTopic } from '@app/domain/webhooks/webhook-topic';
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

/** Of one call. */
const MOST_PROBLEMS = 10;
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
        items: rows.map((row) => ({
          ...row,
          ...describeCall(context.channelKinds, row),
          at: row.at.toISOString(),
        })),
        lastReceivedAt: at?.toISOString() ?? null,
        isSilent:
          connectedAt !== null &&
          since !== null &&
          scope.clock().getTime() - since.getTime() > SILENT_AFTER_MS,
      };
    }),
  ),
});

/** The outline of a body has its form, so that it is read as the body was. */
function describeCall(kinds: ChannelKinds, { kind, outline }: Pick<CallRow, 'kind' | 'outline'>) {
  const events = outline === null ? [] : (kinds.of({ kind }).webhooks.parse(Buffer.from(outline)) ?? []);
  const counts = new Map<WebhookTopic, number>();
  for (const event of events) counts.set(topicOf(event), (counts.get(topicOf(event)) ?? 0) + 1);
  // People are blanked in an outline, so that what it says of them stands beside their messages.
  if (counts.size > 1) counts.delete('unknown');
  return {
    about: [...counts].map(([topic, n]) => ({ topic, n })),
    problems: events
      .flatMap((event) => (event.type === 'channel_problem' ? event.errors : []))
      .slice(0, MOST_PROBLEMS)
      .map(({ code, title }) => ({ code, title })),
  };
}
