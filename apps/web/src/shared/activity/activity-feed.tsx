import { useQuery } from '@tanstack/react-query';
import { History, RefreshCw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { activityTypes, FEED_LENGTH } from '@app/domain/activity/activity-rules';
import { formatDateTime, formatNumber, formatRelativeTime } from '../formats.ts';
import { t } from '../messages.ts';
import { useDebounced } from '../use-debounced.ts';
import { useMessages } from '../use-messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { describeActivity, resourceName } from './activity-words.ts';
import { ActivityTypeMark } from './activity-type-mark.tsx';
import {
  activitiesOptions,
  activitySummaryOptions,
  noFilters,
  useActivityRefresh,
} from './activity-queries.ts';
import type { Activity, ActivityFilters } from './activity-queries.ts';

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
  const [filters, setFilters] = useState(noFilters);
  const [isRefreshing, setRefreshing] = useState(true);
  const search = useDebounced(filters.search);
  const { data, error, isFetching, refetch } = useQuery(activitiesOptions({ ...filters, search }, length));
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
      <FilterBar filters={filters} onChange={setFilters} />
      {error && !data ? (
        <ErrorState title={t('activity.failed')} onRetry={() => void refetch()} className="py-8" />
      ) : (
        <Entries
          items={data?.items}
          isFiltered={filters !== noFilters}
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
      <p className="text-sm text-muted" id="activity-summary">
        {t('activity.summary')}
      </p>
      <dl aria-labelledby="activity-summary" className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-4">
        {figures.map((figure) => (
          <div key={figure} className="flex items-baseline gap-2">
            <dd className="text-xl font-semibold tabular-nums">
              {data ? formatNumber(data[figure]) : <Skeleton className="w-6" />}
            </dd>
            <dt className="truncate text-sm text-muted">{t(`activity.${figure}`)}</dt>
          </div>
        ))}
      </dl>
    </div>
  );
}

function FilterBar({
  filters,
  onChange,
}: {
  filters: ActivityFilters;
  onChange: (filters: ActivityFilters) => void;
}) {
  const { data } = useQuery(activitySummaryOptions);
  const everyType = { value: 'all' as const, label: t('activity.all') };
  return (
    <div className="flex flex-wrap gap-2 px-5 py-3">
      <SearchInput
        className="min-w-44 flex-1 max-sm:basis-full"
        label={t('activity.search')}
        placeholder={t('activity.search')}
        value={filters.search}
        onChange={(search) => onChange({ ...filters, search })}
      />
      <FilterSelect
        label={t('activity.type')}
        value={filters.type}
        onChange={(type) => onChange({ ...filters, type })}
        options={[
          everyType,
          ...activityTypes.map((type) => ({ value: type, label: t(`activity.type.${type}`) })),
        ]}
      />
      <FilterSelect
        label={t('activity.user')}
        value={filters.userId}
        onChange={(userId) => onChange({ ...filters, userId })}
        options={[
          { value: 'all', label: t('activity.all') },
          ...(data?.users ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {filters === noFilters ? null : (
        <Button variant="ghost" icon={<X aria-hidden />} onClick={() => onChange(noFilters)}>
          {t('activity.clearFilters')}
        </Button>
      )}
    </div>
  );
}

function Entries({
  items,
  isFiltered,
  onClear,
}: {
  items: readonly Activity[] | undefined;
  isFiltered: boolean;
  onClear: () => void;
}) {
  const hasWords = useMessages('activity-facts');
  if (!items || !hasWords) {
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
  if (items.length === 0) {
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
  return (
    <ul className="border-t border-border" aria-label={t('activity.title')}>
      {items.map((item) => (
        <Entry key={item.id} item={item} />
      ))}
    </ul>
  );
}

function Entry({ item }: { item: Activity }) {
  const said = describeActivity(item);
  return (
    <li className="flex items-center gap-3 border-b border-border px-5 py-2.5 last:border-b-0">
      <Avatar name={item.userName} image={item.userAvatar} />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 break-words">
          <span className="font-medium">{item.userName}</span> <span title={said}>{said}</span>
        </p>
        <p className="mt-0.5 text-sm break-words text-muted">
          {resourceName(item.resource)} ·{' '}
          <time dateTime={item.occurredAt} title={formatDateTime(item.occurredAt)}>
            {formatRelativeTime(item.occurredAt)}
          </time>
          {item.ipAddress ? ` · ${item.ipAddress}` : ''}
        </p>
      </div>
      <ActivityTypeMark type={item.type} />
    </li>
  );
}

/** Relative times grow old by themselves. */
function useMinuteTick(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
}
