import type { QueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { formatMoney } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { toMessageChoice } from '../sending/message/message-draft.ts';
import type { ConfirmRequest } from '../../ui/overlays/confirm-request.ts';
import { hasBegun, type Campaign } from './campaigns-queries.ts';

/** Never from what the browser read before, however lately: people decide by these figures. */
const asOfNow = { staleTime: 0 };

/** The question before anything leaves: to how many, and at what cost, as the server sees it now. */
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
  const { templateId, customMessage, audience, channelId } = campaign;
  const message = toMessageChoice({ templateId, customMessage: customMessage ?? '', variables: {} });
  const preflight =
    message && !hasBegun(campaign) && !('failedOf' in audience)
      ? await queryClient.fetchQuery({
          ...orpc.campaigns.preflight.queryOptions({ input: { message, audience, channelId } }),
          ...asOfNow,
        })
      : null;
  const n = preflight?.receiving ?? campaign.audienceSize;
  const { estimatedCost, priceCurrency } = preflight ?? { ...campaign, estimatedCost: campaign.plannedCost };
  const cost = formatMoney(estimatedCost, priceCurrency);
  return {
    title: t('campaigns.startQuestion', { n }),
    text: withBudget(t('campaigns.startText', { name, cost }), {
      ...{ estimatedCost, priceCurrency, budgetLeft: preflight?.budgetLeft ?? null },
    }),
    confirmLabel: t(status === 'scheduled' ? 'campaigns.act.startNow' : 'campaigns.act.start'),
    danger: false,
  };
}

/** The question before the failed are sent to again: null when somebody else's retry or an opt-out left nobody. */
export async function questionBeforeRetry(
  queryClient: QueryClient,
  campaignId: string,
): Promise<ConfirmRequest | null> {
  const { receiving, estimatedCost, priceCurrency, budgetLeft, runningId } = await queryClient.fetchQuery({
    ...orpc.campaigns.preflightRetry.queryOptions({ input: { campaignId } }),
    ...asOfNow,
  });
  if (runningId !== null || receiving === 0) return null;
  return {
    title: t('campaigns.retryQuestion', { n: receiving }),
    text: withBudget(t('campaigns.retryText', { cost: formatMoney(estimatedCost, priceCurrency) }), {
      ...{ estimatedCost, priceCurrency, budgetLeft },
    }),
    confirmLabel: t('campaigns.retryConfirm'),
    danger: false,
  };
}

/** What does not fit would pause on the way: people decide with that, too. */
function withBudget(
  text: string,
  {
    estimatedCost,
    priceCurrency,
    budgetLeft,
  }: { estimatedCost: number; priceCurrency: string; budgetLeft: number | null },
): string {
  if (budgetLeft === null || estimatedCost <= budgetLeft) return text;
  return `${text} ${t('sending.preflight.overBudget', { left: formatMoney(budgetLeft, priceCurrency) })}`;
}
