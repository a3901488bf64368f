import { useState } from 'react';
import { formatMoney, formatNumber, formatRate } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { BarChart } from '../../../ui/charts/charts.tsx';
import type { Reports } from '../analytics-queries.ts';
import { ChartSelect } from '../chart-select.tsx';
import { placeOf } from '../report-tables.ts';

type Results = Reports['getResults'];

/** More bars than these cannot be told apart on a telephone. */
const MOST_BARS = 20;
const MEASURES = [
  'read',
  'replied',
  'clicked',
  'converted',
  'delivered',
  'failed',
  'optedOut',
  'perReply',
] as const;
type Measure = (typeof MEASURES)[number];
const BETTER_LOW: readonly Measure[] = ['failed', 'optedOut', 'perReply'];
type Item = Results['items'][number];

/** In percent, or money per reply; undefined where there is nothing to divide by. */
export function measureOf(one: Item, measure: Measure): number | undefined {
  const share = (part: number | null, whole: number) =>
    part === null || whole === 0 ? undefined : Math.round((part / whole) * 1_000) / 10;
  switch (measure) {
    case 'delivered':
      return share(one.delivered, one.sent + one.refused);
    case 'failed':
      return share(one.failed, one.sent + one.refused);
    case 'optedOut':
      return share(one.optOuts, one.delivered);
    case 'perReply':
      return one.cost === null || one.cost === 0 || one.replied === 0 ? undefined : one.cost / one.replied;
    default:
      return share(one[measure], one.delivered);
  }
}

/** The campaigns of the period, the best first, by the measure that is chosen: the largest are drawn, the table has them all. */
export function CampaignComparison({ results }: { results: Results | undefined }) {
  const [measure, setMeasure] = useState<Measure>('read');
  const isBetterLow = BETTER_LOW.some((one) => one === measure);
  // They come with those first that sent most.
  const measured = results?.items.flatMap((one) => {
    const value = measureOf(one, measure);
    return value === undefined ? [] : [{ ...placeOf(one), values: { value } }];
  });
  const sorted = (points: typeof measured) =>
    points?.toSorted((one, other) => (other.values.value - one.values.value) * (isBetterLow ? -1 : 1));
  const unit = t(`analytics.results.measureUnit.${measure}`);
  return (
    <BarChart
      title={t('analytics.results.compare')}
      unit={
        measured && measured.length > MOST_BARS
          ? t('analytics.results.compareMore', {
              ...{ unit, shown: formatNumber(MOST_BARS), n: measured.length - MOST_BARS },
              left: formatNumber(measured.length - MOST_BARS),
            })
          : unit
      }
      labelHeader={t('analytics.campaignHeader')}
      series={[{ key: 'value', label: t(`analytics.results.measure.${measure}`), color: 1 }]}
      points={sorted(measured)}
      drawn={sorted(measured?.slice(0, MOST_BARS))}
      format={
        measure === 'perReply'
          ? (value) => formatMoney(value, results?.currency)
          : (value) => formatRate(value, 100)
      }
      actions={
        <ChartSelect
          label={t('analytics.results.measures')}
          value={measure}
          values={MEASURES}
          textOf={(one) => t(`analytics.results.measure.${one}`)}
          onChange={setMeasure}
        />
      }
    />
  );
}
