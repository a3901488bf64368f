import { countOfMeasure } from '@app/domain/analytics/report-view';
import { readViewQuery, type ViewEnd, type ViewQuery } from '@app/domain/analytics/view-period';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import {
  readBestTime,
  readCampaigns,
  readStatuses,
  readSummary,
  readTemplates,
  readVolume,
} from '../analytics-queries.ts';
import { openReport } from '../report-source.ts';
import { readFilters, type NamedFilter } from './read-filters.ts';

/** So many campaigns are shown; a file has more. */
export const SHOWN_CAMPAIGNS = 10;
const MOST_TEMPLATES = 5;

/** The overview of a view with figures alone: no contact, no member, no message. */
export type ReportDocument = {
  zone: string;
  /** Which count of the volume is drawn. */
  measure: ReturnType<typeof countOfMeasure>;
  filters: NamedFilter[];
  summary: Awaited<ReturnType<typeof readSummary>>;
  volume: Awaited<ReturnType<typeof readVolume>>;
  statuses: Awaited<ReturnType<typeof readStatuses>>;
  campaigns: Awaited<ReturnType<typeof readCampaigns>>;
  templates: Awaited<ReturnType<typeof readTemplates>>;
  bestTime: Awaited<ReturnType<typeof readBestTime>>;
};

/** Null where the segment of the view is gone: without it the figures would be those of others. */
export async function readDocument(
  scope: ReadScope,
  query: ViewQuery,
  last: ViewEnd,
  mostCampaigns = SHOWN_CAMPAIGNS,
): Promise<ReportDocument | null> {
  const input = readViewQuery(query, last);
  const report = await openReport(scope, input);
  if (report === 'segment_not_found') return null;
  const by = (['day', 'week', 'month'] as const).find((one) => one === query.by) ?? 'auto';
  return {
    zone: input.zone,
    measure: countOfMeasure(query.shown),
    filters: await readFilters(scope, input),
    summary: await readSummary(scope, report),
    volume: await readVolume(scope, report, by),
    statuses: await readStatuses(scope, report),
    campaigns: await readCampaigns(scope, report, mostCampaigns),
    templates: await readTemplates(scope, report, MOST_TEMPLATES),
    bestTime: await readBestTime(scope, report),
  };
}
