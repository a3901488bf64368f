import type { ErrorCode } from '@app/contracts/errors';
import { campaigns, type BeforeStart } from '@app/database/campaigns/campaigns-tables';
import { noteStart } from '@app/database/campaigns/write-campaigns';
import { removeLinks, setRunOfLinks } from '@app/database/links/add-links';
import { countAudience } from '@app/delivery/audience-preview';
import { waitForRested } from '@app/delivery/known-audience';
import { pauseRunFor } from '@app/delivery/run-controls';
import { startRun } from '@app/delivery/start-run';
import { callerKey } from '@app/domain/auth/caller';
import type { AbPlan } from '@app/domain/campaigns/ab-test/ab-test';
import { quietUntil } from '@app/domain/campaigns/quiet-hours';
import { isInReview } from '@app/domain/templates/platform-status';
import { and, eq } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { readBestTimes } from './best-times.ts';
import { findVariants, planTest, splitOf, variantMessages } from './ab-variants.ts';
import { namesOf, resolveAudience } from './audience-segments.ts';
import {
  categoryOf,
  choiceOf,
  findMessage,
  runMessageOf,
  templateObstacle,
  whyUnsendable,
} from './choose-message.ts';
import { countLinks, type SendingParts } from './count-links.ts';
import { findSender } from './find-sender.ts';
import { priceAudience } from './price-audience.ts';
import { addFieldTypes } from './message-variables.ts';

export type StartOutcome =
  | { outcome: 'started'; recipients: number; heldUntil: string | null; heldForMs: number | null }
  | { outcome: 'already_started' }
  | {
      outcome: 'refused';
      code: Extract<
        ErrorCode,
        | 'campaign_not_found'
        | 'campaign_act_refused'
        | 'campaign_audience_empty'
        | 'campaign_segment_deleted'
        | 'channel_not_connected'
        | 'chosen_number_off'
        | 'content_not_found'
        | 'content_not_active'
        | 'content_elsewhere'
        | 'link_target_missing'
        | 'content_file_gone'
        | 'template_not_approved'
        | 'template_not_found'
        | 'campaign_variants_differ'
      >;
      /** What the code speaks of, such as the name of a deleted segment or of a number, or what keeps the template from being sent. */
      detail?: string;
      /** True for what may be over in a moment without anybody's doing. */
      isPassing?: boolean;
    };

/**
 * Freezes a stored campaign's audience, with the rules that its segments have now, and hands it to the delivery engine, in the caller's transaction. However
 * many callers press Start at once, one run begins; the others hear `already_started`. For `takeBackSeconds` nothing leaves, and the start can be taken back.
 */
export async function startCampaign(
  scope: WorkspaceScope,
  parts: SendingParts,
  campaignId: string,
  { takeBackSeconds = 0, allowMissingValues = false } = {},
): Promise<StartOutcome> {
  const { tx, workspaceId } = scope;
  const now = scope.clock();
  const [campaign] = await tx
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId)))
    .for('update');
  if (!campaign) return { outcome: 'refused', code: 'campaign_not_found' };
  if (campaign.runNo !== null) return { outcome: 'already_started' };
  if (campaign.status === 'cancelled') return { outcome: 'refused', code: 'campaign_act_refused' };

  const choice = choiceOf(campaign);
  const message = choice && (await findMessage(scope, choice, campaign.channelId ?? undefined));
  if (!message) return { outcome: 'refused', code: 'template_not_found' };
  if (message.kind === 'missing') return { outcome: 'refused', code: `${message.of}_not_found` };
  const sender = await findSender(scope, parts.channelKinds, campaign.channelId);
  const { channel, rules, businessName } = sender;
  // Another number is no answer to one that was chosen and is off by now.
  if (sender.isChosen && !channel?.isConnected)
    return { outcome: 'refused', code: 'chosen_number_off', detail: channel?.displayName ?? '' };
  if (message.kind === 'template' && !sender.hasTemplates)
    return { outcome: 'refused', code: 'template_not_approved', detail: 'elsewhere' };
  const obstacle = templateObstacle(message, rules);
  if (obstacle !== null) {
    const isPassing = message.kind === 'template' && isInReview(message.template);
    return { outcome: 'refused', code: 'template_not_approved', detail: obstacle, isPassing };
  }
  if (!channel?.isConnected || !rules) return { outcome: 'refused', code: 'channel_not_connected' };
  const why = whyUnsendable(message, rules);
  if (why !== null) return { outcome: 'refused', code: why };
  const { abTest: test } = campaign;
  const variants = test
    ? await findVariants(scope, test, { sender, first: message, channelId: campaign.channelId })
    : [];
  if (typeof variants === 'string') return { outcome: 'refused', code: variants };
  const { audience, segments, deletedSegmentIds } = await resolveAudience(scope, campaign.audience);
  if (deletedSegmentIds.length > 0) {
    const detail = namesOf(deletedSegmentIds, campaign.segments);
    return { outcome: 'refused', code: 'campaign_segment_deleted', detail };
  }

  await waitForRested(scope, workspaceId, audience);
  const category = categoryOf(message, rules);
  const price = await priceAudience(scope, sender, { audience, category });
  // Before the run is there: from then on its own people are about to get a campaign.
  const isLive = segments.length > 0 || 'restDays' in audience;
  const audienceSize = isLive ? await countAudience(scope, { workspaceId, audience }) : undefined;
  // A retry repeats what the campaign before it assigned, and tests nothing.
  const plan =
    test && !('failedOf' in audience)
      ? await planTest(scope, test, {
          shares: [test.share, ...test.variants.map(({ share }) => share)],
          ...{ audience, category, channelId: channel.id },
        })
      : null;
  const filled = runMessageOf(message, await addFieldTypes(scope, campaign.variables), businessName, rules);
  const counted = await countLinks(scope, parts, filled, {
    ...{ message, rules, channelId: channel.id, campaignId, contactId: null, isWanted: campaign.countsLinks },
  });
  if (counted === 'link_target_missing') return { outcome: 'refused', code: counted };
  const others = await variantMessages(scope, parts, variants, {
    ...{ businessName, rules, channelId: channel.id, campaignId, countsLinks: campaign.countsLinks },
  });
  if (others === 'link_target_missing') return { outcome: 'refused', code: others };
  const linkIds = [...counted.linkIds, ...others.linkIds];
  const run = await startRun(scope, {
    workspaceId,
    channelId: channel.id,
    campaignId,
    audience,
    category,
    holdSeconds: takeBackSeconds,
    ...(test && { split: splitOf(test, variants, plan) }),
    ...(campaign.bestTime && { bestTimes: await readBestTimes(scope, campaign.quietHours) }),
    cause: scope.cause,
    message: {
      ...counted.run,
      ...(test && { variants: others.messages }),
      ...(campaign.fallback && { timeLimitSeconds: campaign.fallback.afterSeconds }),
      ...((allowMissingValues || campaign.allowMissingValues) && { allowsMissingValues: true }),
    },
  });
  if (run.outcome === 'nobody') {
    await removeLinks(scope, linkIds);
    return { outcome: 'refused', code: 'campaign_audience_empty' };
  }
  await setRunOfLinks(scope, linkIds, run.runNo);
  // In the transaction of the start, so that nothing leaves before the pause.
  const resumeAt = campaign.quietHours && quietUntil(campaign.quietHours, now);
  if (resumeAt) await pauseRunFor(scope, run.runNo, { reason: 'quiet_hours', resumeAt: resumeAt.getTime() });
  await noteStart(
    tx,
    { workspaceId, campaignId },
    {
      runNo: run.runNo,
      channelId: channel.id,
      pauseReason: null,
      pauseDetail: null,
      segments,
      ...(audienceSize !== undefined && { audienceSize }),
      ...price,
      beforeStart:
        takeBackSeconds > 0 ? { ...whatItWas(campaign), startedBy: callerKey(scope.caller) } : null,
      ...(plan && { abResult: { plan: withoutRest(plan) } }),
      version: campaign.version + 1,
      updatedAt: now,
    },
  );
  if (run.outcome !== 'started') return { outcome: 'already_started' };
  // Quiet hours hold it longer than that.
  const heldUntil = resumeAt ? null : (run.heldUntil?.toISOString() ?? null);
  const heldForMs = heldUntil === null ? null : takeBackSeconds * 1000;
  return { outcome: 'started', recipients: run.total, heldUntil, heldForMs };
}

function withoutRest({ sample, testSize, holdout, remaining, isTooSmall, detectable }: AbPlan): AbPlan {
  return { sample, testSize, holdout, remaining, isTooSmall, detectable };
}

function whatItWas(campaign: typeof campaigns.$inferSelect): BeforeStart {
  const { channelId, pauseReason, pauseDetail, segments, audienceSize, pricePerMessage, priceCurrency } =
    campaign;
  return { channelId, pauseReason, pauseDetail, segments, audienceSize, pricePerMessage, priceCurrency };
}
