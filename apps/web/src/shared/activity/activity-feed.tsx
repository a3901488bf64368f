import { useQuery } from '@tanstack/react-query';
import { History, RefreshCw, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { activityTypes, FEED_LENGTH } from '@app/domain/activity/activity-rules';
import { formatNumber } from '../formats.ts';
import { t } from '../messages.ts';
import { OfflineSearchNote } from '../offline/offline-search-note.tsx';
import { useUrlState } from '../url-state.ts';
import { useDebounced } from '../use-debounced.ts';
import { useMessages } from '../use-messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { ActivityEntries } from './activity-entries.tsx';
import {
  activitiesOptions,
  activitySummaryOptions,
  findKeptActivities,
  isNarrowed,
  readActivityFilters,
  useActivityRefresh,
} from './activity-queries.ts';
import type { Activity } from './activity.ts';
import type { ActivityFilters } from './activity-queries.ts';
import { groupActivities } from './group-activities.ts';

/** Nothing chosen: none of it stands in the address. */
const noFilters = { search: undefined, type: undefined, person: undefined };

/**
 * Who did what in the workspace, live. Load the catalogue `activity` before; `viewedPage` is the page that counts as
 * viewed while the feed refreshes itself.
 */
export function ActivityFeed({
  length = FEED_LENGTH,
  viewedPage,
  className,
}: {
  length?: number;
  viewedPage?: 'dashboard' | undefined;
  className?: string | undefined;
}) {
  const [filters, setFilters] = useUrlState(readActivityFilters);
  const [isRefreshing, setRefreshing] = useState(true);
  const search = useDebounced(filters.search);
  const { data, error, isFetching, fetchStatus, refetch } = useQuery(
    activitiesOptions({ ...filters, search }, length),
  );
  const isNarrow = isNarrowed(filters);
  const hasWords = useMessages('activity-facts');
  const kept = hasWords && isNarrow && fetchStatus === 'paused' ? findKeptActivities(filters) : undefined;
  const refresh = useActivityRefresh(isRefreshing, viewedPage);
  useMinuteTick();

  return (
    <Panel
      title={t('activity.title')}
      purpose={t('activity.purpose')}
      className={className}
      flush
      actions={
        <>
          <Switch
            label={t('activity.autoRefresh')}
            checked={isRefreshing}
            onChange={(event) => setRefreshing(event.target.checked)}
            className="flex-row-reverse text-sm"
          />
          <IconButton label={t('activity.refresh')} size="small" onClick={refresh}>
            <RefreshCw aria-hidden className={isFetching ? 'animate-spin' : undefined} />
          </IconButton>
        </>
      }
    >
      <Summary />
      <FilterBar
        filters={filters}
        nameHere={data?.items.find(({ userId }) => userId === filters.person)?.userName}
        onChange={setFilters}
        onClear={isNarrow ? () => setFilters(noFilters) : undefined}
      />
      {kept ? (
        <div className="px-5">
          <OfflineSearchNote searched={kept.searched} />
        </div>
      ) : null}
      {error && !data && !kept ? (
        <ErrorState title={t('activity.failed')} onRetry={() => void refetch()} className="py-8" />
      ) : (
        <Entries
          items={hasWords ? (kept?.items ?? data?.items) : undefined}
          length={length}
          isFiltered={isNarrow}
          onClear={() => setFilters(noFilters)}
        />
      )}
    </Panel>
  );
}

function Summary() {
  const { data } = useQuery(activitySummaryOptions);
  const figures = ['logins', 'created', 'sent', 'activeUsers'] as const;
  return (
    <div className="px-5 pt-2">
      <h3 className="text-sm text-muted" id="activity-summary">
        {t('activity.summary')}
      </h3>
      <dl aria-labelledby="activity-summary" className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-4">
        {figures.map((figure) => (
          // Read label first; the figure stands before it.
          <div key={figure} className="flex flex-row-reverse items-baseline justify-end gap-2">
            <dt className="min-w-0 text-sm text-muted">{t(`activity.${figure}`)}</dt>
            <dd className="text-xl font-semibold tabular-nums">
              {data ? formatNumber(data[figure]) : <Skeleton className="w-6" />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function FilterBar({
  filters,
  nameHere,
  onChange,
  onClear,
}: {
  filters: ActivityFilters;
  /** How the log names the chosen person, who may work here no more. */
  nameHere: string | undefined;
  onChange: (filters: { [Key in keyof ActivityFilters]?: ActivityFilters[Key] | undefined }) => void;
  /** Undefined while nothing is chosen. */
  onClear: (() => void) | undefined;
}) {
  const { data } = useQuery(activitySummaryOptions);
  const { person } = filters;
  const people = (data?.users ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (person !== 'all' && people.every(({ value }) => value !== person))
    people.push({ value: person, label: nameHere ?? t('activity.formerUser') });
  const everyType = { value: 'all' as const, label: t('activity.all') };
  return (
    <div className="flex flex-wrap gap-2 px-5 py-3">
      <SearchInput
        className="min-w-44 flex-1 max-sm:basis-full"
        label={t('activity.search')}
        placeholder={t('activity.search')}
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <FilterSelect
        label={t('activity.type')}
        value={filters.type}
        onChange={(type) => onChange({ type: type === 'all' ? undefined : type })}
        options={[
          everyType,
          ...activityTypes.map((type) => ({ value: type, label: t(`activity.type.${type}`) })),
        ]}
      />
      <FilterSelect
        label={t('activity.user')}
        value={person}
        onChange={(chosen) => onChange({ person: chosen === 'all' ? undefined : chosen })}
        options={[{ value: 'all', label: t('activity.all') }, ...people]}
      />
      {onClear ? (
        <Button variant="ghost" icon={<X aria-hidden />} onClick={onClear}>
          {t('activity.clearFilters')}
        </Button>
      ) : null}
    </div>
  );
}

function Entries({
  items,
  length,
  isFiltered,
  onClear,
}: {
  items: readonly Activity[] | undefined;
  length: number;
  isFiltered: boolean;
  onClear: () => void;
}) {
  const rows = useMemo(() => items && groupActivities(items).slice(0, length), [items, length]);
  if (!rows) {
    return (
      <SkeletonRegion className="flex flex-col gap-4 px-5 py-3">
        {[0, 1, 2, 3].map((row) => (
          <span key={row} className="flex items-center gap-3">
            <Skeleton className="size-8 rounded-full" />
            <Skeleton className="h-4 flex-1" />
          </span>
        ))}
      </SkeletonRegion>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        className="py-8"
        icon={<History />}
        title={t('activity.empty')}
        text={t(isFiltered ? 'activity.noMatchText' : 'activity.emptyText')}
        action={isFiltered ? <Button onClick={onClear}>{t('activity.clearFilters')}</Button> : undefined}
      />
    );
  }
  return <ActivityEntries rows={rows} />;
}

/** Relative times grow old by themselves. */
function useMinuteTick(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
}
