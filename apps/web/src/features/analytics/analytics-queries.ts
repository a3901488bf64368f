import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import {
  addDays,
  dayIn,
  daysBetween,
  isReportDay,
  listBuckets,
  LONGEST_PERIOD,
  volumeBuckets,
} from '@app/domain/analytics/report-period';
import {
  isReportZone,
  reportFilterKinds,
  writeReportPeople,
  type ReportFilterKind,
  type ReportMetric,
  type ReportPeople,
} from '@app/domain/analytics/report-filter';
import { viewMeasures } from '@app/domain/analytics/report-view';
import { cleanText, contactLimits } from '@app/domain/contacts/contact';
import { numberCountries } from '@app/domain/settings/calling-codes';
import { keepPreviousData } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { activeTimeZone } from '../../shared/formats.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type Reports = InferContractRouterOutputs<typeof contract>['analytics'];
export type Counts = Omit<Reports['getSummary']['counts'], 'received' | 'refused'>;

export const periods = ['30days', '7days', '90days', '1year', 'custom'] as const;
const DAYS = { '7days': 7, '30days': 30, '90days': 90, '1year': 365 } as const;
export const sections = ['overview', 'results', 'failures', 'inbox', 'audience', 'automation'] as const;
export const groupings = ['auto', ...volumeBuckets] as const;
/** A chart with more places than these shows nothing more. */
const MOST_PLACES = 750;

export const filterNames = reportFilterKinds;
export type FilterName = ReportFilterKind;
/** What the figures of each section can be narrowed to. */
export const filtersOfSection: Record<(typeof sections)[number], readonly FilterName[]> = {
  overview: filterNames,
  results: ['campaign', 'template', 'channel', 'sender', 'tag', 'segment', 'country'],
  failures: filterNames,
  inbox: ['sender', 'agent', 'team'],
  audience: [],
  automation: ['sender'],
};

/**
 * What the address says: the period, what it is narrowed to, and what the volume chart shows. What can be no value of a filter narrows nothing,
 * so that the page does not name it as one.
 */
export function readAnalyticsSearch(search: Record<string, unknown>) {
  const text = (name: string) => readText(search, name);
  const id = (name: string) => (UUID.test(text(name)) ? text(name) : '');
  const tag = cleanText(text('tag'));
  return {
    period: readOneOf(search, 'period', periods),
    ...{ from: text('from'), to: text('to') },
    ...{ campaign: id('campaign'), template: id('template'), sender: id('sender') },
    tag: tag.length <= contactLimits.tag ? tag : '',
    /** A kind of channel. */
    channel: KIND.test(text('channel')) ? text('channel') : '',
    ...{ segment: id('segment'), agent: id('agent'), team: id('team') },
    country: numberCountries.includes(text('country')) ? text('country') : '',
    /** Of days and hours; the reader's own where it is empty. */
    zone: isReportZone(text('zone')) ? text('zone') : '',
    by: readOneOf(search, 'by', groupings),
    section: readOneOf(search, 'section', sections),
    shown: readOneOf(search, 'shown', viewMeasures),
    /** All sections on one page, for paper. */
    print: readOneOf(search, 'print', ['', 'all']),
    /** The people behind a number, in a dialog; as `writeReportPeople` says it. */
    people: text('people'),
  };
}
export type AnalyticsSearch = ReturnType<typeof readAnalyticsSearch>;

export function zoneOf({ zone }: Pick<AnalyticsSearch, 'zone'>): string {
  return zone || activeTimeZone();
}

/** How the days of the period can be grouped so that a chart can show them. */
export function groupingsOf(search: AnalyticsSearch): (typeof groupings)[number][] {
  const days = daysOf(search);
  return groupings.filter(
    (by) => by === 'auto' || (days !== null && listBuckets(days.from, days.to, by).length <= MOST_PLACES),
  );
}

/** The days of the period, in the time zone of the page; null while the chosen days make no period. */
export function daysOf({ period, from, to, zone }: AnalyticsSearch): { from: string; to: string } | null {
  const today = dayIn(zoneOf({ zone }), Date.now());
  if (period !== 'custom') return { from: addDays(today, 1 - DAYS[period]), to: today };
  if ([from, to].some((day) => DAY.test(day) && !isReportDay(day))) return null;
  const days = { from: DAY.test(from) ? from : addDays(today, -29), to: DAY.test(to) ? to : today };
  const count = daysBetween(days.from, days.to);
  return count > 0 && count <= LONGEST_PERIOD ? days : null;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const KIND = /^[\w-]{1,32}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a number counts, so that its people can be looked for; null while the period is none. */
export function peopleOf(
  search: AnalyticsSearch,
  metric: ReportMetric,
  part: Partial<ReportPeople> = {},
): string | null {
  const days = daysOf(search);
  if (!days) return null;
  const { tag: _, segmentId: __, ...filter } = filterOf(search);
  return writeReportPeople({ metric, ...days, zone: zoneOf(search), ...filter, ...part });
}

/** What the figures of its section are narrowed to: a filter that this section does not know stays in the address and counts nowhere. */
export function narrowedOf(search: AnalyticsSearch): AnalyticsSearch {
  const known = filtersOfSection[search.section];
  const unknown = filterNames.filter((name) => !known.includes(name));
  return { ...search, ...Object.fromEntries(unknown.map((name) => [name, ''])) };
}

function filterOf(all: AnalyticsSearch) {
  const search = narrowedOf(all);
  return {
    campaignId: search.campaign || undefined,
    templateId: search.template || undefined,
    channelId: search.sender || undefined,
    channel: search.channel || undefined,
    tag: search.tag || undefined,
    segmentId: search.segment || undefined,
    country: search.country || undefined,
    agentId: search.agent || undefined,
    teamId: search.team || undefined,
  };
}

/** What the figures are narrowed to by name, and whether it is still there. */
export function filtersOptions(search: AnalyticsSearch) {
  const input = filterOf(search);
  const enabled = Object.values(input).some((value) => value !== undefined);
  return orpc.analytics.getFilters.queryOptions({ input, enabled, placeholderData: keepPreviousData });
}

export function reportOptions(search: AnalyticsSearch) {
  const days = daysOf(search);
  const input = {
    ...days,
    zone: zoneOf(search),
    ...filterOf(search),
  };
  const by = groupingsOf(search).find((one) => one === search.by) ?? 'auto';
  const rest = { enabled: days !== null, placeholderData: keepPreviousData };
  const { analytics } = orpc;
  return {
    summary: analytics.getSummary.queryOptions({ input, ...rest }),
    volume: analytics.getVolume.queryOptions({ input: { ...input, bucket: by }, ...rest }),
    statuses: analytics.getStatuses.queryOptions({ input, ...rest }),
    campaigns: analytics.getCampaigns.queryOptions({ input: { ...input, limit: 1_000 }, ...rest }),
    templates: analytics.getTemplates.queryOptions({ input: { ...input, limit: 1_000 }, ...rest }),
    bestTime: analytics.getBestTime.queryOptions({ input, ...rest }),
    failures: analytics.getFailures.queryOptions({ input, ...rest }),
    inbox: analytics.getInbox.queryOptions({ input, ...rest }),
    results: (windowDays: number) =>
      analytics.getResults.queryOptions({ input: { ...input, windowDays }, ...rest }),
    templateHealth: analytics.getTemplateHealth.queryOptions({ input, ...rest }),
    automation: analytics.getAutomation.queryOptions({ input, ...rest }),
    audience: analytics.getAudience.queryOptions({ input: { ...input, bucket: by }, ...rest }),
  };
}

/** Opens the people behind a number; undefined for a user who may not see contacts. */
export type ShowPeople = ((metric: ReportMetric, part?: Partial<ReportPeople>) => void) | undefined;

export const choicesOptions = orpc.analytics.getChoices.queryOptions({ input: {}, staleTime: 60_000 });
