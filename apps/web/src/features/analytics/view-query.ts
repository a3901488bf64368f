import { reportViewParts } from '@app/domain/analytics/report-view';
import type { api } from '../../shared/api.ts';
import { readAnalyticsSearch, type AnalyticsSearch } from './analytics-queries.ts';

type Query = Awaited<ReturnType<typeof api.reportViews.list>>['items'][number]['query'];

/** What differs from a page without an address. */
export function queryOf(search: AnalyticsSearch): Query {
  const usual: Record<string, string> = readAnalyticsSearch({});
  const now: Record<string, string> = search;
  return Object.fromEntries(
    reportViewParts.flatMap((name) => {
      const value = now[name];
      return value !== undefined && value !== usual[name] ? [[name, value]] : [];
    }),
  );
}
