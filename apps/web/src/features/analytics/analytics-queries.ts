import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import { addDays, dayIn, daysBetween, LONGEST_PERIOD } from '@app/domain/analytics/report-period';
import { keepPreviousData } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { activeTimeZone } from '../../shared/formats.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type Reports = InferContractRouterOutputs<typeof contract>['analytics'];
export type Counts = Omit<Reports['getSummary']['counts'], 'received'>;

export const periods = ['30days', '7days', '90days', '1year', 'custom'] as const;
const DAYS = { '7days': 7, '30days': 30, '90days': 90, '1year': 365 } as const;
export const shownCounts = ['messages', 'delivered', 'read'] as const;

/** What the address says: the period, what it is narrowed to, and what the volume chart shows. */
export function readAnalyticsSearch(search: Record<string, unknown>) {
  return {
    period: readOneOf(search, 'period', periods),
    from: readText(search, 'from'),
    to: readText(search, 'to'),
    campaign: readText(search, 'campaign'),
    template: readText(search, 'template'),
    sender: readText(search, 'sender'),
    shown: readOneOf(search, 'shown', shownCounts),
  };
}
export type AnalyticsSearch = ReturnType<typeof readAnalyticsSearch>;

/** The days of the period, in the reader's time zone; null where somebody chose none that can be counted. */
export function daysOf({ period, from, to }: AnalyticsSearch): { from: string; to: string } | null {
  const today = dayIn(activeTimeZone(), Date.now());
  if (period !== 'custom') return { from: addDays(today, 1 - DAYS[period]), to: today };
  const days = { from: from || addDays(today, -29), to: to || today };
  const count = daysBetween(days.from, days.to);
  return count > 0 && count <= LONGEST_PERIOD ? days : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idOf = (text: string) => (UUID.test(text) ? text : undefined);

export function reportOptions(search: AnalyticsSearch) {
  const days = daysOf(search);
  const input = {
    ...days,
    zone: activeTimeZone(),
    campaignId: idOf(search.campaign),
    templateId: idOf(search.template),
    channelId: idOf(search.sender),
  };
  const rest = { enabled: days !== null, placeholderData: keepPreviousData };
  const { analytics } = orpc;
  return {
    summary: analytics.getSummary.queryOptions({ input, ...rest }),
    volume: analytics.getVolume.queryOptions({ input, ...rest }),
    statuses: analytics.getStatuses.queryOptions({ input, ...rest }),
    campaigns: analytics.getCampaigns.queryOptions({ input: { ...input, limit: 1_000 }, ...rest }),
    templates: analytics.getTemplates.queryOptions({ input: { ...input, limit: 1_000 }, ...rest }),
    bestTime: analytics.getBestTime.queryOptions({ input, ...rest }),
  };
}

export const sendersOptions = orpc.channels.list.queryOptions({ input: {} });
