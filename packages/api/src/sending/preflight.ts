import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { costOf } from '@app/domain/delivery/message-cost';
import { readBudget } from '@app/delivery/pace/budget';
import { fromMillionths } from '@app/domain/settings/budget';
import { countCapped, previewAudience } from '@app/delivery/audience-preview';
import { promotionCapOf } from '@app/domain/channels/promotion-cap';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import { readMessagingSettings } from '@app/domain/settings/messaging-settings';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { ResolvedAudience } from './audience-segments.ts';
import { categoryOf, templateObstacle, whyUnsendable, type ChosenMessage } from './choose-message.ts';
import { estimateSending, sendsNow, type SendingPlan } from './estimate-sending.ts';
import { findSender, type Sender } from './find-sender.ts';
import { countLanguages } from './message-languages.ts';
import { priceAudience } from './price-audience.ts';
import { findValueProblems } from './value-problems.ts';

/** Who would get the message now, who is left out and why, what it costs and how long it takes (seconds). */
export async function checkBeforeSending(
  scope: ReadScope,
  kinds: ChannelKinds,
  {
    message,
    variables,
    resolved,
    channelId,
    plan = sendsNow,
  }: {
    message: ChosenMessage;
    /** As they are stored; null where nobody asks about values. */
    variables: CampaignVariables | null;
    resolved: ResolvedAudience;
    channelId: string | null;
    plan?: SendingPlan;
  },
) {
  const sender = await findSender(scope, kinds, channelId);
  const { channel, rules } = sender;
  const { audience, deletedSegmentIds } = resolved;
  const category = categoryOf(message, rules);
  const reached = await previewAudience(scope, {
    workspaceId: scope.workspaceId,
    audience,
    category,
    channelId: channel?.id ?? null,
  });
  const promotionsCapped = await countPromotionsCapped(scope, sender, { audience, category });
  const counts = { ...reached, promotionsCapped, receiving: reached.receiving - promotionsCapped };
  const price = await priceAudience(scope, sender, { audience, category });
  const budget =
    category === 'service' ? null : await readBudget(scope, scope.workspaceId, scope.clock().getTime());
  const messagesPerSecond = channel?.messagesPerSecond ?? 0;
  const estimatedCost = costOf(counts.receiving, price.pricePerMessage);
  const budgetLeft = budget && Math.max(0, fromMillionths(budget.left));
  return {
    ...counts,
    ...price,
    ...{ estimatedCost, budgetLeft },
    // What costs more than the month has left waits, nobody knows for how long.
    ...(await estimateSending(scope, sender, {
      ...plan,
      count: budgetLeft !== null && estimatedCost > budgetLeft ? 0 : counts.receiving,
    })),
    languages:
      message.kind === 'template'
        ? await countLanguages(scope, message, rules, { audience, category, channelId: channel?.id ?? null })
        : null,
    valueProblems: variables
      ? await findValueProblems(scope, message, {
          ...{ variables, businessName: sender.businessName, rules },
          ...{ audience, category, channelId: channel?.id ?? null },
        })
      : [],
    messagesPerSecond,
    number: channel && { id: channel.id, name: channel.displayName },
    obstacle:
      findObstacle(sender, message) ?? (deletedSegmentIds.length > 0 ? ('segment_deleted' as const) : null),
    templateObstacle: templateObstacle(message, rules),
    deletedSegmentIds,
  };
}

async function countPromotionsCapped(
  scope: ReadScope,
  { channel }: Sender,
  { audience, category }: { audience: Audience; category: MessageCategory },
): Promise<number> {
  if (!channel || category !== 'marketing') return 0;
  const { rows } = await scope.query<{ settings: Record<string, unknown> }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [scope.workspaceId],
  );
  const cap = promotionCapOf(readMessagingSettings(rows[0]?.settings ?? {}), channel.kind);
  return cap ? countCapped(scope, { workspaceId: scope.workspaceId, audience, cap }) : 0;
}

function findObstacle(
  { channel, isChosen, hasTemplates, rules }: Sender,
  message: ChosenMessage,
):
  | 'not_connected'
  | 'chosen_number_off'
  | 'channel_stopped'
  | 'template_elsewhere'
  | 'template_not_approved'
  | 'content_not_active'
  | 'content_elsewhere'
  | 'content_file_gone'
  | null {
  if (!channel?.isConnected) return isChosen ? 'chosen_number_off' : 'not_connected';
  if (channel.stoppedReason !== null) return 'channel_stopped';
  if (message.kind === 'template' && !hasTemplates) return 'template_elsewhere';
  const why = whyUnsendable(message, rules);
  return why === 'template_not_found' || why === 'content_not_found' ? 'template_not_approved' : why;
}
