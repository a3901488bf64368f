import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { allowsAct, type CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { orpc, type api } from '../../shared/api.ts';
import { holdsText, useListRows, whileReachable } from '../../shared/offline/kept-rows.ts';
import { useLiveEvent, type LivePayload } from '../../shared/live/live-events.ts';
import { can } from '../../shared/session.ts';

type CampaignsPageData = Awaited<ReturnType<typeof api.campaigns.list>>;
export type Campaign = CampaignsPageData['items'][number];
export type CampaignDetails = Awaited<ReturnType<typeof api.campaigns.get>>;
export type RetryPreflight = Awaited<ReturnType<typeof api.campaigns.preflightRetry>>;
export type Recipient = Awaited<ReturnType<typeof api.campaigns.listRecipients>>['items'][number];

type CampaignsFilter = { search: string; status: CampaignStatus | '' };

export function campaignsOptions({ search, status }: CampaignsFilter) {
  return orpc.campaigns.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      limit: 48,
      ...(search === '' ? {} : { search }),
      ...(status === '' ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

const plainKey = campaignsOptions({ search: '', status: '' }).queryKey;

/** Its audience is frozen, even when quiet hours held back the very first message. */
export function hasBegun({ startedAt, counts }: Campaign): boolean {
  return startedAt !== null || counts.total > 0;
}

export function useCampaigns(filter: CampaignsFilter) {
  const query = useInfiniteQuery({ ...campaignsOptions(filter), placeholderData: whileReachable });
  const { rows, status, searched } = useListRows(query, plainKey, (kept) =>
    kept
      .filter((campaign) => filter.status === '' || campaign.status === filter.status)
      .filter(({ name }) => holdsText([name], filter.search)),
  );
  const matching = searched === undefined ? query.data?.pages[0]?.matching : rows.length;
  return { query, campaigns: rows, status, searched, matching };
}

export function useCampaignSummary() {
  return useQuery(orpc.campaigns.summarize.queryOptions({ input: {}, placeholderData: whileReachable }));
}

export function useCampaign(campaignId: string) {
  return useQuery(orpc.campaigns.get.queryOptions({ input: { campaignId } }));
}

/** Somebody failed, it has ended, and the user may send again. */
export function mayRetry({ status, counts }: Campaign): boolean {
  return (
    counts.failed > 0 &&
    allowsAct(status, 'retry_failed') &&
    can('campaigns:create') &&
    can('messages:create')
  );
}

/** Whom a retry would reach, which others that failed or a retry under way change. */
export function useRetryPreflight(campaign: Campaign) {
  const queryClient = useQueryClient();
  const options = orpc.campaigns.preflightRetry.queryOptions({ input: { campaignId: campaign.id } });
  const { data } = useQuery({ ...options, enabled: mayRetry(campaign) });
  useLiveEvent('campaign-progress', (payload) => {
    const progress = readProgress(payload);
    if (!progress) return;
    const isOfRetry = progress.campaignId === data?.runningId && progress.status !== 'running';
    const isOfThis = progress.campaignId === campaign.id && progress.counts.failed !== campaign.counts.failed;
    if (isOfRetry || isOfThis) void queryClient.invalidateQueries({ queryKey: options.queryKey });
  });
  return data;
}

/**
 * Keeps every shown campaign live: counts travel in the event and are written into the cache; only a change of a
 * campaign itself reads anything anew.
 */
export function useLiveCampaigns(): void {
  const queryClient = useQueryClient();

  useLiveEvent('campaign-progress', (payload) => {
    const progress = readProgress(payload);
    if (!progress) return;
    const merge = <Item extends Campaign>(campaign: Item): Item =>
      campaign.id === progress.campaignId
        ? { ...campaign, counts: progress.counts, status: progress.status ?? campaign.status }
        : campaign;
    queryClient.setQueriesData<InfiniteData<CampaignsPageData>>(
      { queryKey: orpc.campaigns.list.key({ type: 'infinite' }) },
      (data) =>
        data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(merge) })) },
    );
    queryClient.setQueryData(
      orpc.campaigns.get.queryKey({ input: { campaignId: progress.campaignId } }),
      (data) => data && merge(data),
    );
  });

  useLiveEvent('campaigns', () => {
    for (const queryKey of [
      orpc.campaigns.list.key(),
      orpc.campaigns.summarize.key(),
      orpc.campaigns.get.key(),
      orpc.campaigns.preflightRetry.key(),
    ]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });

  useLiveEvent('resync', () => void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() }));
}

const statusByState: Record<string, CampaignStatus | undefined> = {
  ready: 'running',
  running: 'running',
  paused: 'paused',
  completed: 'completed',
  cancelled: 'cancelled',
};

function readProgress({ campaignId, state, counts }: LivePayload) {
  if (typeof campaignId !== 'string' || typeof counts !== 'object' || counts === null) return null;
  // The server writes exactly the counts of the contract into this event.
  return { campaignId, status: statusByState[String(state)], counts: counts as Campaign['counts'] };
}
