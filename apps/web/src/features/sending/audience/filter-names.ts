import { useQueries } from '@tanstack/react-query';
import { NO_REASON } from '@app/domain/campaigns/recipient-outcome';
import { orpc } from '../../../shared/api.ts';
import { can } from '../../../shared/session.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import type { ChosenFilter } from './audience-selection.ts';
import type { RuleNames } from './audience-words.ts';

/** What the campaigns are called whose people were chosen. The words of their reasons come along. */
export function useFilterNames(filters: readonly ChosenFilter[]): RuleNames {
  const ofCampaigns = filters.flatMap((filter) => (filter.segmentId === undefined ? [filter] : []));
  const ids = new Set(ofCampaigns.flatMap(({ campaignId }) => campaignId ?? []));
  useMessages(
    'deliveries',
    ofCampaigns.some(({ reason }) => reason !== undefined && reason !== NO_REASON),
  );
  const found = useQueries({
    queries: [...ids].map((campaignId) => ({
      ...orpc.campaigns.get.queryOptions({ input: { campaignId } }),
      enabled: can('campaigns:read'),
    })),
  });
  return new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
}
