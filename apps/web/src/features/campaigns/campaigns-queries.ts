import type { FeatureVisit } from '../../shared/feature.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { allowsAction, campaignStatuses, type CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { orpc, type api } from '../../shared/api.ts';
import { chosenFilters, fitsFilters, readFilters, type ListFilter } from '../../shared/lists/list-filters.ts';
import { t } from '../../shared/messages.ts';
import { holdsText, whileReachable } from '../../shared/offline/kept-rows.ts';
import { onLiveEvent, type LivePayload } from '../../shared/live/live-events.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { can } from '../../shared/session.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

type CampaignsPageData = Awaited<ReturnType<typeof api.campaigns.list>>;
export type Campaign = CampaignsPageData['items'][number];
export type CampaignDetails = Awaited<ReturnType<typeof api.campaigns.get>>;
export type RetryPreflight = Awaited<ReturnType<typeof api.campaigns.preflightRetry>>;
export type Recipient = Awaited<ReturnType<typeof api.campaigns.listRecipients>>['items'][number];

type CampaignsFilter = Pick<ReturnType<typeof readCampaignsSearch>, 'search' | 'status'>;

/** What the list can be narrowed to. */
export const campaignFilters = {
  status: {
    label: 'campaigns.filter.status',
    all: 'campaigns.filter.all',
    values: campaignStatuses,
    say: (status: CampaignStatus) => t(`campaigns.status.${status}`),
    of: (campaign: Campaign) => campaign.status,
  },
} satisfies Record<string, ListFilter<Campaign>>;

/** Search, filter and the open form live in the address: `?status=running&form=edit&id=…`. */
export function readCampaignsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    ...readFilters(campaignFilters, search),
    /** Which form is open: `new`, or `edit` or `copy` of the campaign `id`. */
    form: readOneOf(search, 'form', ['', 'new', 'edit', 'copy']),
    id: readText(search, 'id'),
    /** What a new one begins with. */
    template: readText(search, 'template'),
    content: readText(search, 'content'),
  };
}

export function campaignsOptions({ search, ...choices }: CampaignsFilter, channelKind?: string) {
  return orpc.campaigns.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      limit: 48,
      ...(search === '' ? {} : { search }),
      ...chosenFilters(campaignFilters, choices),
      ...(channelKind !== undefined && { channelKind }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** Its audience is frozen, even when quiet hours held back the very first message. */
export function hasBegun({ startedAt, counts }: Campaign): boolean {
  return startedAt !== null || counts.total > 0;
}

/** What became of its recipients. Until those of a large audience are frozen, all who were chosen are waiting. */
export function countsOf({ counts, audienceSize }: Campaign): Campaign['counts'] {
  return counts.total > 0 ? counts : { ...counts, total: audienceSize, pending: audienceSize };
}

/** What the server would find among these campaigns. */
export function findKeptCampaigns(campaigns: readonly Campaign[], { search, ...choices }: CampaignsFilter) {
  return campaigns
    .filter((campaign) => fitsFilters(campaignFilters, choices, campaign))
    .filter(({ name }) => holdsText([name], search));
}

/** Of all campaigns, or of those of one kind of channel. */
export function useCampaignSummary(channelKind?: string) {
  const input = channelKind === undefined ? {} : { channelKind };
  return useQuery(orpc.campaigns.summarize.queryOptions({ input, placeholderData: whileReachable }));
}

export function useCampaign(campaignId: string) {
  return useQuery({
    ...orpc.campaigns.get.queryOptions({ input: { campaignId } }),
    // Reports of second messages come as those of single messages, which this page does not follow.
    refetchInterval: ({ state }) => (awaitsSecond(state.data) ? 10_000 : false),
  });
}

function awaitsSecond(campaign: CampaignDetails | undefined): boolean {
  const second = campaign?.fallbackCounts ?? null;
  return second !== null && second.sent > second.delivered;
}

/** Somebody failed, it has ended, and the user may send again. */
export function mayRetry({ status, counts }: Campaign): boolean {
  return (
    counts.failed > 0 &&
    allowsAction(status, 'retry_failed') &&
    can('campaigns:create') &&
    can('messages:create')
  );
}

/** Whom a retry would reach, which others that failed or a retry under way change. */
export function useRetryPreflight(campaign: Campaign) {
  const options = orpc.campaigns.preflightRetry.queryOptions({ input: { campaignId: campaign.id } });
  const { data } = useQuery({ ...options, enabled: mayRetry(campaign) });
  useLiveQuery(['campaign-progress'], [options.queryKey], {
    concerns: (payload) => {
      const progress = readProgress(payload);
      return progress !== null && progress.campaignId === data?.runningId && progress.status !== 'running';
    },
  });
  // Whoever failed since it was read is in the next answer, however the count of them came here.
  const queryClient = useQueryClient();
  const { failed } = campaign.counts;
  const readFor = useRef(failed);
  useEffect(() => {
    if (readFor.current === failed) return;
    readFor.current = failed;
    void queryClient.invalidateQueries(
      orpc.campaigns.preflightRetry.queryOptions({ input: { campaignId: campaign.id } }),
    );
  }, [queryClient, campaign.id, failed]);
  return data;
}

/** Counts travel in the event itself and are written into what is shown: nothing is read for them. */
export function useLiveCounts(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onLiveEvent(({ topic, payload }) => {
        const progress = topic === 'campaign-progress' ? readProgress(payload) : null;
        if (progress) writeProgress(queryClient, progress);
      }),
    [queryClient],
  );
}

type Progress = NonNullable<ReturnType<typeof readProgress>>;

function writeProgress(queryClient: QueryClient, { campaignId, counts, status }: Progress): void {
  const merge = <Item extends Campaign>(campaign: Item): Item =>
    campaign.id === campaignId ? { ...campaign, counts, status: status ?? campaign.status } : campaign;
  queryClient.setQueriesData<InfiniteData<CampaignsPageData>>(
    { queryKey: orpc.campaigns.list.key({ type: 'infinite' }) },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(merge) })) },
  );
  const queryKey = orpc.campaigns.get.queryKey({ input: { campaignId } });
  const shown = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(queryKey, (data) => data && merge(data));
  // What else is known from the first message on, such as when that was, no event brings.
  if (shown?.startedAt === null) void queryClient.invalidateQueries({ queryKey });
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

/** What the list shows first. */
export function prefetchCampaigns({ queryClient }: FeatureVisit): Promise<unknown> {
  return Promise.all([
    queryClient.prefetchQuery(orpc.campaigns.summarize.queryOptions({ input: {} })),
    queryClient.prefetchInfiniteQuery(campaignsOptions(readCampaignsSearch({}))),
  ]);
}

export function prefetchCampaign({ queryClient, params }: FeatureVisit): Promise<unknown> {
  return queryClient.prefetchQuery(
    orpc.campaigns.get.queryOptions({ input: { campaignId: params['campaignId'] ?? '' } }),
  );
}
