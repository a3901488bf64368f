import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { KEPT_ACTIVITIES, VIEW_EVERY_MS, type ActivityType } from '@app/domain/activity/activity-rules';
import { api, orpc } from '../api.ts';
import { useLiveQuery } from '../live/use-live-query.ts';
import { loadMessages } from '../messages.ts';
import { ignoreOfflineCopy, readOfflineCopy, saveOfflineCopy } from '../offline/offline-copy.ts';
import { queryClient } from '../query-client.ts';
import { ownerHere } from '../session.ts';
import { useIdle } from './use-idle.ts';

export type ActivityPage = Awaited<ReturnType<typeof api.activity.list>>;
export type Activity = ActivityPage['items'][number];
export type ActivityFilters = { search: string; type: ActivityType | 'all'; userId: string };

const feedKey = orpc.activity.key();

export const noFilters: ActivityFilters = { search: '', type: 'all', userId: 'all' };

export function activitiesOptions({ search, type, userId }: ActivityFilters, limit: number) {
  const isFiltered = search !== '' || type !== 'all' || userId !== 'all';
  const input = {
    limit,
    ...(search && { search }),
    ...(type !== 'all' && { type }),
    ...(userId !== 'all' && { userId }),
  };
  return queryOptions({
    queryKey: orpc.activity.list.queryKey({ input }),
    queryFn: async () => {
      const page = await api.activity.list(search ? { ...input, said: await findSaid(search) } : input);
      if (!isFiltered) keepForOffline(page.items);
      return page;
    },
    placeholderData: isFiltered ? keepPreviousData : (previous) => previous ?? readKept(limit),
  });
}

/** Only a search needs it. */
async function findSaid(search: string) {
  const [said] = await Promise.all([import('./said-facts.ts'), loadMessages('activity-facts')]);
  return said.findSaid(search);
}

export const activitySummaryOptions = orpc.activity.getSummary.queryOptions({ input: {} });

/**
 * Keeps the feed true while `isOn`: new entries come over the event stream, and the page that shows the feed counts as
 * viewed every 30 seconds while somebody is there to see it.
 */
export function useActivityRefresh(isOn: boolean, viewedPage: 'dashboard' | undefined): () => void {
  const isIdle = useIdle();
  useLiveQuery(['activities'], [feedKey], { isOn });
  // Switched off, the feed stands still at once.
  useEffect(() => () => queryClient.forgetTold({ queryKey: feedKey }), [isOn]);
  useEffect(() => {
    if (!isOn || isIdle || !viewedPage) return undefined;
    const viewing = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      api.activity.recordView({ type: 'page_view', page: viewedPage }).catch(() => undefined);
    }, VIEW_EVERY_MS);
    return () => clearInterval(viewing);
  }, [isOn, isIdle, viewedPage]);
  return () => void queryClient.invalidateQueries({ queryKey: feedKey });
}

function keepForOffline(items: readonly Activity[]): void {
  const known = new Map(
    [...items, ...(readKept(KEPT_ACTIVITIES)?.items ?? [])].map((item) => [item.id, item]),
  );
  const newest = [...known.values()].sort((one, other) => other.occurredAt.localeCompare(one.occurredAt));
  // Where somebody signed in from is not for a browser's storage.
  const kept = newest
    .slice(0, KEPT_ACTIVITIES)
    .map((item) => ({ ...item, ipAddress: null, userAgent: null }));
  saveOfflineCopy('activities', kept, ownerHere());
}

function readKept(limit: number): ActivityPage | undefined {
  const kept = readOfflineCopy('activities', ownerHere());
  if (!Array.isArray(kept)) {
    if (kept !== undefined) ignoreOfflineCopy('activities', 'It is not a list.');
    return undefined;
  }
  if (kept.length === 0) return undefined;
  return { items: kept.filter(isActivity).slice(0, limit), nextCursor: null };
}

function isActivity(value: unknown): value is Activity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'description' in value &&
    'occurredAt' in value &&
    typeof value.occurredAt === 'string'
  );
}
