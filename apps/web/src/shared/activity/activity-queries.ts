import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  activityTypes,
  KEPT_ACTIVITIES,
  VIEW_EVERY_MS,
  type ActivityType,
} from '@app/domain/activity/activity-rules';
import { api, orpc } from '../api.ts';
import { useLiveQuery } from '../live/use-live-query.ts';
import { loadMessages } from '../messages.ts';
import { ignoreOfflineCopy, readOfflineCopy, saveOfflineCopy } from '../offline/offline-copy.ts';
import { holdsText, whileReachable } from '../offline/kept-rows.ts';
import { queryClient } from '../query-client.ts';
import { ownerHere } from '../session.ts';
import { readOneOf, readText } from '../url-state.ts';
import type { Activity, ActivityPage } from './activity.ts';
import { describeActivity, resourceName } from './activity-words.ts';
import { useIdle } from './use-idle.ts';

export type ActivityFilters = { search: string; type: ActivityType | 'all'; person: string };

const feedKey = orpc.activity.key();

/** So many entries may be one row. */
const ENTRIES_OF_A_ROW = 5;

/** What the feed is narrowed to stands in the address: `?type=login&person=…`. */
export function readActivityFilters(search: Record<string, unknown>): ActivityFilters {
  return {
    search: readText(search, 'search'),
    type: readOneOf(search, 'type', ['all', ...activityTypes]),
    person: readText(search, 'person', 'all'),
  };
}

export function isNarrowed({ search, type, person }: ActivityFilters): boolean {
  return search !== '' || type !== 'all' || person !== 'all';
}

/** What a feed of `length` rows asks for. */
export function activitiesOptions(filters: ActivityFilters, length: number) {
  const { search, type, person } = filters;
  const isFiltered = isNarrowed(filters);
  const limit = Math.min(KEPT_ACTIVITIES, length * ENTRIES_OF_A_ROW);
  const input = {
    limit,
    ...(search && { search }),
    ...(type !== 'all' && { type }),
    ...(person !== 'all' && { userId: person }),
  };
  return queryOptions({
    queryKey: orpc.activity.list.queryKey({ input }),
    queryFn: async () => {
      const page = await api.activity.list(search ? { ...input, said: await findSaid(search) } : input);
      if (!isFiltered) keepForOffline(page.items);
      return page;
    },
    placeholderData: isFiltered ? whileReachable : (previous) => previous ?? readKept(limit),
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
  useEffect(() => () => queryClient.clearTold({ queryKey: feedKey }), [isOn]);
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

/** What the server would find among the entries on this device; undefined when none are kept. The words of facts must be there. */
export function findKeptActivities({ search, type, person }: ActivityFilters) {
  const kept = readKept(KEPT_ACTIVITIES)?.items;
  if (!kept) return undefined;
  const items = kept
    .filter((item) => (type === 'all' || item.type === type) && (person === 'all' || item.userId === person))
    .filter((item) =>
      holdsText([describeActivity(item), item.userName, resourceName(item.resource)], search),
    );
  return { items, searched: kept.length };
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
