import { readBudget } from '@app/delivery/pace/budget';
import type { MessageCategory } from '@app/domain/delivery/audience';
import { costOf } from '@app/domain/delivery/message-cost';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { fromMillionths } from '@app/domain/settings/budget';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { estimateSending } from '../sending/estimate-sending.ts';
import { findSender } from '../sending/find-sender.ts';
import { findCampaign } from './campaigns-queries.ts';

/** How many a campaign that has begun would still send to, at the price of its start, and until when: those who wait, or those of whom nobody knows. */
export async function checkBeforeGoingOn(
  scope: ReadScope,
  kinds: ChannelKinds,
  { campaignId, whom }: { campaignId: string; whom: 'waiting' | 'unknown' },
) {
  const row = await findCampaign(scope, campaignId);
  if (!row) return 'campaign_not_found';
  if (row.runNo === null) return 'campaign_act_refused';
  const { workspaceId } = scope;
  const now = scope.clock();
  const { rows } = await scope.query<{ category: MessageCategory }>(
    'SELECT category FROM delivery_runs WHERE workspace_id = $1 AND run_no = $2',
    [workspaceId, row.runNo],
  );
  const isFree = rows[0]?.category === 'service';
  const budget = isFree ? null : await readBudget(scope, workspaceId, now.getTime());
  const budgetLeft = budget && Math.max(0, fromMillionths(budget.left));
  const sender = await findSender(scope, kinds, row.channelId);
  const receiving = whom === 'waiting' ? row.pending : row.unknown;
  const estimatedCost = costOf(receiving, row.pricePerMessage);
  return {
    ...{ receiving, estimatedCost, priceCurrency: row.priceCurrency, budgetLeft },
    ...(await estimateSending(scope, sender, {
      count: budgetLeft !== null && estimatedCost > budgetLeft ? 0 : receiving,
      quietHours: row.quietHours,
      startsAt: null,
    })),
    obstacle: sender.channel?.isConnected ? null : ('number_off' as const),
  };
}
