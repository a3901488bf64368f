import type { QueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { formatMoney } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { toMessageChoice } from '../../shared/sending/message-draft.ts';
import type { ConfirmRequest } from '../../ui/confirm.tsx';
import { hasBegun, type Campaign } from './campaigns-queries.ts';

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
  const campaign = await queryClient.fetchQuery(
    orpc.campaigns.get.queryOptions({ input: { campaignId: id } }),
  );
  const { templateId, customMessage, audience } = campaign;
  const message = toMessageChoice({ templateId, customMessage: customMessage ?? '', variables: {} });
  const preflight =
    message && !hasBegun(campaign)
      ? await queryClient.fetchQuery(orpc.campaigns.preflight.queryOptions({ input: { message, audience } }))
      : null;
  const n = preflight?.receiving ?? campaign.audienceSize;
  const cost = formatMoney(preflight?.estimatedCost ?? campaign.plannedCost);
  return {
    title: t('campaigns.startQuestion', { n }),
    text: t('campaigns.startText', { name, cost }),
    confirmLabel: t(status === 'scheduled' ? 'campaigns.act.startNow' : 'campaigns.act.start'),
    danger: false,
  };
}
