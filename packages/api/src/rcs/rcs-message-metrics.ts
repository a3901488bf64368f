import type { rcsMessage } from '@app/contracts/rcs/rcs-contract';
import { countConversions } from '@app/database/conversions/count-conversions';
import type { z } from 'zod';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type MessageMetrics = z.infer<typeof rcsMessage>['metrics'];

const none: MessageMetrics = { sent: 0, delivered: 0, read: 0, clicked: 0, conversions: 0 };

/** What became of messages in all their campaigns, by message. */
export async function readMessageMetrics(
  scope: ReadScope,
  messageIds: readonly string[],
): Promise<(messageId: string) => MessageMetrics> {
  const { workspaceId } = scope;
  const { rows: campaigns } = await scope.query<
    Omit<MessageMetrics, 'conversions'> & { id: string; messageId: string }
  >(
    `SELECT k.id, k.content_id AS "messageId", k.sent, k.delivered, k.read,
            (SELECT count(*)::int FROM link_clicks c
              WHERE c.workspace_id = $1 AND c.campaign_id = k.id AND c.owner = 'r' || k.run_no AND c.is_first) AS clicked
       FROM campaigns_now k WHERE k.workspace_id = $1 AND k.content_id = ANY ($2::uuid[])`,
    [workspaceId, messageIds],
  );
  if (campaigns.length === 0) return () => none;
  const campaignIds = campaigns.map(({ id }) => id);
  const conversions = await countConversions(scope, { workspaceId, campaignIds });
  const sums = new Map<string, MessageMetrics>();
  for (const { id, messageId, ...counts } of campaigns) {
    const sum = sums.get(messageId) ?? { ...none };
    for (const name of ['sent', 'delivered', 'read', 'clicked'] as const) sum[name] += counts[name];
    sum.conversions += conversions.get(id)?.converted ?? 0;
    sums.set(messageId, sum);
  }
  return (messageId) => sums.get(messageId) ?? none;
}
