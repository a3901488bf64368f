import type { QueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { toMessageChoice } from '../sending/message/message-draft.ts';
import type { ConfirmRequest } from '../../ui/overlays/confirm-request.ts';
import { budgetText, factsBeforeSending, inOne } from '../sending/start-question.ts';
import { hasBegun, type Campaign, type CampaignDetails } from './campaigns-queries.ts';

/** Never from what the browser read before, however lately: people decide by these figures. */
const asOfNow = { staleTime: 0 };

/** The question before anything leaves: to how many, at what cost and until when, as the server sees it now. */
export async function questionBeforeSending(
  queryClient: QueryClient,
  { id, name, status, counts }: Campaign,
): Promise<ConfirmRequest> {
  if (status === 'paused') {
    return {
      title: t('campaigns.resumeQuestion', { n: counts.pending }),
      text: t('campaigns.resumeText', { name }),
      confirmLabel: t('campaigns.act.resume'),
      danger: false,
    };
  }
  const campaign = await queryClient.fetchQuery({
    ...orpc.campaigns.get.queryOptions({ input: { campaignId: id } }),
    ...asOfNow,
  });
  const { templateId, customMessage, audience, channelId, quietHours, inContactLanguage } = campaign;
  const text = customMessage ?? '';
  const message = toMessageChoice({ templateId, customMessage: text, variables: {}, inContactLanguage });
  const preflight =
    message && !hasBegun(campaign) && !('failedOf' in audience)
      ? await queryClient.fetchQuery({
          ...orpc.campaigns.preflight.queryOptions({ input: { message, audience, channelId, quietHours } }),
          ...asOfNow,
        })
      : null;
  const n = preflight?.receiving ?? campaign.audienceSize;
  return {
    title: t('campaigns.startQuestion', { n }),
    text: inOne(t('campaigns.startText', { name }), preflight && budgetText(preflight)),
    facts: factsBeforeSending(preflight ?? asPlanned(campaign)),
    confirmLabel: t(status === 'scheduled' ? 'campaigns.act.startNow' : 'campaigns.act.start'),
    danger: false,
  };
}

/** The question before the failed are sent to again: null when somebody else's retry or an opt-out left nobody. */
export async function questionBeforeRetry(
  queryClient: QueryClient,
  campaignId: string,
): Promise<ConfirmRequest | null> {
  const preflight = await queryClient.fetchQuery({
    ...orpc.campaigns.preflightRetry.queryOptions({ input: { campaignId } }),
    ...asOfNow,
  });
  const { receiving, runningId } = preflight;
  if (runningId !== null || receiving === 0) return null;
  return {
    title: t('campaigns.retryQuestion', { n: receiving }),
    text: inOne(t('campaigns.retryText'), budgetText(preflight)),
    facts: factsBeforeSending(preflight),
    confirmLabel: t('campaigns.retryConfirm'),
    danger: false,
  };
}

/** Of a message that is gone the server counts nothing: what stands in the campaign says as much. */
function asPlanned({ audienceSize, plannedCost, priceCurrency }: CampaignDetails) {
  return {
    ...{ receiving: audienceSize, estimatedCost: plannedCost, priceCurrency },
    ...{ languages: null, budgetLeft: null, estimatedSeconds: null, finishesAt: null },
  };
}
