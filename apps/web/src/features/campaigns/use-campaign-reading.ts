import { recipientOutcomes } from '@app/domain/campaigns/recipient-outcome';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { orpc } from '../../shared/api.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { can } from '../../shared/session.ts';
import { readOneOf, useUrlState } from '../../shared/url-state.ts';
import { hasBegun, type CampaignDetails } from './campaigns-queries.ts';

/** Of more people than this the reasons take a moment to count, for all of them are looked through: they come by themselves, at a pace of their own. */
const PROMPT_UP_TO = 20_000;
const REASONS_MS = 20_000;

/**
 * What one campaign's page shows of its people. Figures, the first rows and, of no large campaign, the reasons come with one answer, of one moment: a figure
 * that ran ahead of the rows below it would contradict them.
 */
export function useCampaignReading(campaign: CampaignDetails) {
  const { id: campaignId, status, counts } = campaign;
  const [{ outcome }, setUrl] = useUrlState(readOutcome);
  const isStarted = hasBegun(campaign);
  const mayList = can('contacts:read');
  const isLarge = counts.total > PROMPT_UP_TO;
  const list = useInfiniteQuery(
    orpc.campaigns.listRecipients.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...{ campaignId, limit: 100 },
        ...(outcome === '' ? {} : { outcome }),
        ...(cursor !== undefined && { cursor }),
        ...(cursor === undefined && !isLarge && { reasons: 'yes' as const }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: whileReachable,
      enabled: isStarted && mayList,
      meta: { isPrompt: !isLarge },
    }),
  );
  const reasonsOptions = orpc.campaigns.countReasons.queryOptions({ input: { campaignId } });
  const [first] = list.data?.pages ?? [];
  const counted = useQuery({
    ...reasonsOptions,
    enabled: isStarted && (isLarge || !mayList),
    refetchInterval: ({ state }) =>
      isLarge && first && state.data && undelivered(first) !== undelivered(state.data) ? REASONS_MS : false,
  });
  const keys = [mayList ? orpc.campaigns.listRecipients.key() : reasonsOptions.queryKey];
  useLiveQuery(['campaign-progress'], keys, {
    isOn: isStarted,
    concerns: (progress) => progress['campaignId'] === campaignId,
  });

  // The status is told ahead of what it changed, and second messages are told of with the campaign alone: the rows are read at once.
  const { refetch } = list;
  const { refetch: countAnew } = counted;
  const told = `${status} ${JSON.stringify(campaign.fallbackCounts)}`;
  const readFor = useRef(told);
  useEffect(() => {
    if (readFor.current === told) return;
    readFor.current = told;
    if (isStarted && mayList) void refetch();
    if (isStarted && isLarge) void countAnew();
  }, [told, isStarted, mayList, isLarge, refetch, countAnew]);

  const read = mayList ? first : counted.data;
  return {
    list,
    outcome,
    setOutcome: (next: typeof outcome) => setUrl({ outcome: next }),
    /** The campaign with the figures that belong to the rows. */
    shown: isStarted && read ? { ...campaign, counts: read.counts } : campaign,
    reasons: isLarge ? counted.data?.reasons : read?.reasons,
  };
}

export type CampaignReading = ReturnType<typeof useCampaignReading>;

/** Whose reasons are counted. */
function undelivered({ counts: { failed, cancelled } }: Pick<CampaignDetails, 'counts'>): number {
  return failed + cancelled;
}

function readOutcome(raw: Record<string, unknown>) {
  return { outcome: readOneOf(raw, 'outcome', ['', ...recipientOutcomes]) };
}
