import { daysOfBucket } from '@app/domain/analytics/report-period';
import { countOfMeasure, viewMeasures } from '@app/domain/analytics/report-view';
import { Fragment, Suspense } from 'react';
import { formatNumber, formatRate } from '../../shared/formats.ts';
import { formatHour } from './format-hour.ts';
import { t } from '../../shared/messages.ts';
import { AreaChart, BarChart, PieChart } from '../../ui/charts/charts.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import {
  groupingsOf,
  zoneOf,
  type AnalyticsSearch,
  type Reports,
  type ShowPeople,
} from './analytics-queries.ts';
import { ChartSelect } from './chart-select.tsx';
import { PressedFigure } from './figure-cards.tsx';
import { bestTimeTable, campaignTable, nameOf, statusParts, volumeTable } from './report-tables.ts';

/** More bars than these cannot be told apart. */
const MOST_CAMPAIGNS = 10;
const MOST_TEMPLATES = 5;

type Change = (patch: Partial<AnalyticsSearch>) => void;

const GROUPINGS = {
  auto: 'analytics.byAuto',
  day: 'analytics.byDay',
  week: 'analytics.byWeek',
  month: 'analytics.byMonth',
} as const;

export function VolumeChart({
  volume,
  search,
  onChange,
  onShowPeople,
}: {
  volume: Reports['getVolume'] | undefined;
  search: AnalyticsSearch;
  onChange: Change;
  onShowPeople: ShowPeople;
}) {
  const { shown } = search;
  const table = volumeTable(volume);
  const key = countOfMeasure(shown);
  const unit = { day: 'volumeUnit', week: 'volumeUnitWeek', month: 'volumeUnitMonth' } as const;
  const per = t(`analytics.${unit[volume?.bucket ?? 'day']}`);
  const groupings = groupingsOf(search);
  return (
    <AreaChart
      {...table}
      unit={
        shown === 'messages' ? per : t('analytics.volumeOf', { unit: per, shown: t(`analytics.${shown}`) })
      }
      series={table.series.filter((one) => one.key === key)}
      onPress={(at) => {
        const point = volume?.points[at];
        if (!onShowPeople || !point || point[key] === 0) return undefined;
        return () => onShowPeople(key, daysOfBucket(volume, point.day));
      }}
      actions={
        <>
          <ChartSelect
            label={t('analytics.by')}
            value={groupings.find((one) => one === search.by) ?? 'auto'}
            values={groupings}
            textOf={(by) => t(GROUPINGS[by])}
            onChange={(by) => onChange({ by })}
          />
          <ChartSelect
            label={t('analytics.shown')}
            value={shown}
            values={viewMeasures}
            textOf={(name) => t(`analytics.${name}`)}
            onChange={(name) => onChange({ shown: name })}
          />
        </>
      }
    />
  );
}

const PARTS = ['read', 'unread', 'undelivered', 'failed'] as const;

export function StatusChart({
  statuses,
  onShowPeople,
}: {
  statuses: Reports['getStatuses'] | undefined;
  onShowPeople: ShowPeople;
}) {
  const parts = statusParts(statuses);
  return (
    <PieChart
      onPress={(at) => {
        const metric = PARTS[at];
        return onShowPeople && metric && parts?.[at]?.value ? () => onShowPeople(metric) : undefined;
      }}
      title={t('analytics.statuses')}
      unit={t('analytics.statusesUnit')}
      labelHeader={t('analytics.status')}
      valueHeader={t('analytics.messages')}
      parts={parts}
    />
  );
}

const NAMED = ['sent', 'delivered', 'read'] as const;

export function CampaignChart({
  campaigns,
  onShowPeople,
}: {
  campaigns: Reports['getCampaigns'] | undefined;
  onShowPeople: ShowPeople;
}) {
  const table = campaignTable(campaigns);
  const shown = table.points?.slice(0, MOST_CAMPAIGNS);
  const isPart = campaigns !== undefined && shown !== undefined && campaigns.total > shown.length;
  return (
    <BarChart
      {...table}
      drawn={shown}
      unit={
        isPart
          ? t('analytics.campaignsMore', { shown: shown.length, total: formatNumber(campaigns.total) })
          : t('analytics.campaignsUnit')
      }
      series={table.series.filter(({ key }) => NAMED.some((name) => name === key))}
      onPress={(at, key) => {
        const metric = NAMED.find((name) => name === key);
        const one = campaigns?.items[at];
        if (!onShowPeople || !one || !metric || one[metric] === 0) return undefined;
        return () => onShowPeople(metric, { campaignId: one.id });
      }}
    />
  );
}

/** The five with the best read rates, with what the rate is of. */
export function TopTemplates({
  templates,
  onShowPeople,
}: {
  templates: Reports['getTemplates'] | undefined;
  onShowPeople: ShowPeople;
}) {
  const items = templates?.items.filter(({ delivered }) => delivered > 0).slice(0, MOST_TEMPLATES);
  return (
    <Panel title={t('analytics.templates')} purpose={t('analytics.templatesUnit')}>
      {items === undefined ? (
        <SkeletonRegion>
          <Skeleton className="h-44 w-full" />
        </SkeletonRegion>
      ) : items.length === 0 ? (
        <p className="grid h-44 place-items-center text-muted">{t('analytics.noTemplates')}</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {items.map((one) => (
            <li key={one.id} className="flex min-w-0 flex-col gap-1">
              <div className="flex items-baseline justify-between gap-3">
                <bdi className="line-clamp-2 min-w-0 font-medium wrap-anywhere">{nameOf(one)}</bdi>
                <span className="font-semibold tabular-nums">{formatRate(one.read, one.delivered)}</span>
              </div>
              <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
                <div className="h-full rounded-full bg-primary" style={{ width: `${one.readRate ?? 0}%` }} />
              </div>
              <p className="text-sm text-muted tabular-nums">
                {(['read', 'delivered'] as const).map((metric, at) => (
                  <Fragment key={metric}>
                    {at > 0 ? ' · ' : null}
                    {`${t(`analytics.${metric}`)} `}
                    <PressedFigure
                      label={t('analytics.people.showOf', { label: t(`analytics.${metric}`) })}
                      onPress={
                        onShowPeople && one[metric] > 0
                          ? () => onShowPeople(metric, { templateId: one.id })
                          : undefined
                      }
                    >
                      {formatNumber(one[metric])}
                    </PressedFigure>
                  </Fragment>
                ))}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

export function BestTimeChart({
  bestTime,
  zone,
}: {
  bestTime: Reports['getBestTime'] | undefined;
  zone: string;
}) {
  const table = bestTimeTable(bestTime);
  const peak = bestTime?.peak;
  return (
    <BarChart
      {...table}
      unit={t('analytics.bestTimeUnit', { zone: zone.replaceAll('_', ' ') })}
      series={table.series.filter(({ key }) => key === 'read')}
      note={
        peak
          ? t('analytics.peak', { from: formatHour(peak.from), to: formatHour(peak.to) })
          : bestTime
            ? t('analytics.noPeak')
            : ''
      }
    />
  );
}

export function ReportCharts({
  search,
  onShowPeople,
  onChange,
  reports: { volume, statuses, campaigns, templates, bestTime },
}: {
  search: AnalyticsSearch;
  onChange: Change;
  onShowPeople: ShowPeople;
  reports: {
    volume: Reports['getVolume'] | undefined;
    statuses: Reports['getStatuses'] | undefined;
    campaigns: Reports['getCampaigns'] | undefined;
    templates: Reports['getTemplates'] | undefined;
    bestTime: Reports['getBestTime'] | undefined;
  };
}) {
  return (
    <Suspense>
      <div className="grid gap-4 lg:grid-cols-2 print:grid-cols-2">
        <div className="min-w-0 lg:col-span-2 print:col-span-2">
          <VolumeChart volume={volume} search={search} onChange={onChange} onShowPeople={onShowPeople} />
        </div>
        <StatusChart statuses={statuses} onShowPeople={onShowPeople} />
        <TopTemplates templates={templates} onShowPeople={onShowPeople} />
        <div className="min-w-0 lg:col-span-2 print:col-span-2">
          <CampaignChart campaigns={campaigns} onShowPeople={onShowPeople} />
        </div>
        <div className="min-w-0 lg:col-span-2 print:col-span-2">
          <BestTimeChart bestTime={bestTime} zone={zoneOf(search)} />
        </div>
      </div>
    </Suspense>
  );
}
