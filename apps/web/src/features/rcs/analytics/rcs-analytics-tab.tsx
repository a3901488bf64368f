import { addDays, dayIn, daysBetween, isReportDay } from '@app/domain/analytics/report-period';
import { rcsRates } from '@app/domain/rcs/rcs-message';
import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useState } from 'react';
import { orpc, type api } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import {
  activeTimeZone,
  formatCountry,
  formatDay,
  formatMoney,
  formatNumber,
  formatShare,
} from '../../../shared/formats.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { t } from '../../../shared/messages.ts';
import { readOneOf, readText, useUrlState } from '../../../shared/url-state.ts';
import { LineChart } from '../../../ui/charts/charts.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { FilterSelect } from '../../../ui/table/filter-select.tsx';
import { SummaryCard, SummaryCards } from '../../../ui/table/summary-cards.tsx';
import { rateText } from '../rate-text.ts';
import { FiguresTable } from './figures-table.tsx';

const PERIODS = ['7', '30', '90', '365', 'custom'] as const;
const MOST_DAYS = 366;
const LINES = ['sent', 'delivered', 'read', 'clicked', 'converted'] as const;

function readPeriod(search: Record<string, unknown>) {
  return {
    period: readOneOf(search, 'period', ['30', ...PERIODS.filter((one) => one !== '30')]),
    ...{ from: readText(search, 'from'), to: readText(search, 'to') },
  };
}

/** What became of messages through agents, by day, message and country. */
export function RcsAnalyticsTab() {
  const [{ period, from, to }, setUrl] = useUrlState(readPeriod);
  const zone = activeTimeZone();
  const [today] = useState(() => dayIn(zone, Date.now()));
  const days = period === 'custom' ? { from, to } : { from: addDays(today, 1 - Number(period)), to: today };
  const isValid = isReportDay(days.from) && isReportDay(days.to) && isInOrder(days.from, days.to);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...orpc.rcsAnalytics.getAnalytics.queryOptions({
      input: { ...days, zone },
      placeholderData: whileReachable,
    }),
    enabled: isValid,
  });
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <FilterSelect
          label={t('rcs-analytics.period')}
          value={period}
          onChange={(next) =>
            setUrl({ period: next, ...(next === 'custom' ? days : { from: undefined, to: undefined }) })
          }
          options={PERIODS.map((one) => ({
            value: one,
            label: one === 'custom' ? t('rcs-analytics.custom') : t('rcs-analytics.days', { n: Number(one) }),
          }))}
        />
        {period === 'custom' ? (
          <>
            <Field label={t('rcs-analytics.from')}>
              <Input
                type="date"
                value={from}
                max={to || undefined}
                onChange={({ target }) => setUrl({ from: target.value })}
              />
            </Field>
            <Field
              label={t('rcs-analytics.to')}
              error={isValid || from === '' || to === '' ? undefined : t('rcs-analytics.wrongPeriod')}
            >
              <Input
                type="date"
                value={to}
                min={from || undefined}
                onChange={({ target }) => setUrl({ to: target.value })}
              />
            </Field>
          </>
        ) : null}
      </div>
      {data && isValid ? (
        <div aria-busy={isPlaceholderData} className="flex min-w-0 flex-col gap-4">
          <Report report={data} />
        </div>
      ) : error ? (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion className="flex flex-col gap-4">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-72 w-full" />
        </SkeletonRegion>
      )}
    </div>
  );
}

function isInOrder(from: string, to: string): boolean {
  const n = daysBetween(from, to);
  return n > 0 && n <= MOST_DAYS;
}

type Analytics = Awaited<ReturnType<typeof api.rcsAnalytics.getAnalytics>>;

function Report({ report }: { report: Analytics }) {
  const { total, days, messages, countries, currency, withoutCost } = report;
  const tried = total.sent + total.failed;
  if (tried === 0)
    return (
      <EmptyState icon={<ChartLine />} title={t('rcs-analytics.none')} text={t('rcs-analytics.noneText')} />
    );
  const rates = rcsRates({ ...total, conversions: total.converted });
  const part = (n: number, all: number) => t('rcs-analytics.ofTried', { n, all: formatNumber(all) });
  return (
    <>
      <SummaryCards label={t('rcs-analytics.figures')}>
        <SummaryCard
          label={t('rcs-analytics.deliveryRate')}
          value={formatShare(total.delivered, tried)}
          note={part(total.delivered, tried)}
        />
        <SummaryCard
          label={t('rcs-analytics.readRate')}
          value={formatShare(total.read, total.delivered)}
          note={part(total.read, total.delivered)}
        />
        <SummaryCard
          label={t('rcs-analytics.clickRate')}
          value={rateText(rates.click)}
          note={part(total.clicked, total.sent)}
        />
        <SummaryCard
          label={t('rcs-analytics.conversionRate')}
          value={rateText(rates.conversion)}
          note={part(total.converted, total.clicked)}
        />
        <SummaryCard
          label={t('rcs-analytics.fallbackShare')}
          value={formatShare(total.fallback, tried)}
          note={part(total.fallback, tried)}
        />
        <SummaryCard label={t('rcs-analytics.cost')} value={formatMoney(total.cost, currency)} />
      </SummaryCards>
      {withoutCost === 0 ? null : (
        <p className="text-sm text-muted">{t('rcs-analytics.withoutCost', { n: withoutCost, currency })}</p>
      )}
      <LineChart
        title={t('rcs-analytics.byDay')}
        unit={t('rcs-analytics.byDayUnit')}
        labelHeader={t('rcs-analytics.day')}
        series={LINES.map((key, n) => ({
          ...{ key, label: t(`rcs-analytics.${key}`) },
          color: (n + 1) as 1 | 2 | 3 | 4 | 5,
        }))}
        points={days.map(({ day, ...values }) => ({ label: formatDay(day), values }))}
      />
      <FiguresTable
        title={t('rcs-analytics.byMessage')}
        labelHeader={t('rcs-analytics.message')}
        currency={currency}
        rows={messages.map((one) => ({ label: nameOf(one), figures: one }))}
      />
      <FiguresTable
        title={t('rcs-analytics.byCountry')}
        labelHeader={t('rcs-analytics.country')}
        currency={currency}
        rows={countries.map((one) => ({
          label: one.country === null ? t('rcs-analytics.noCountry') : formatCountry(one.country),
          figures: one,
        }))}
      />
    </>
  );
}

function nameOf({ kind, name }: Analytics['messages'][number]): string {
  return kind === 'single' ? t('rcs-analytics.single') : (name ?? t('rcs-analytics.deleted'));
}
