import { CircleCheck, Megaphone, Percent, Send } from 'lucide-react';
import { splitProgress } from '@app/domain/campaigns/campaign-progress';
import { formatNumber, formatRate, formatWholePercent } from '../../shared/formats.ts';
import { SeriesMark } from '../../ui/charts/series-mark.tsx';
import { outcomeColors } from '../../ui/charts/outcome-colors.ts';
import { t } from '../../shared/messages.ts';
import { classNames } from '../../ui/class-names.ts';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import type { ProgressPart } from '../../ui/progress.tsx';
import type { Campaign, useCampaignSummary } from './campaigns-queries.ts';

/** What became of whoever was selected, with both rates; for every campaign that is no draft. */
export function CampaignStats({
  counts,
  wide = false,
}: {
  counts: Campaign['counts'];
  /** Larger figures, as the main thing of a page; else each has the mark of its part of a bar. */
  wide?: boolean | undefined;
}) {
  const { total, sent, cancelled, delivered, read, failed } = counts;
  // The first row adds up: selected = sent + left out + failed, once nobody waits any more.
  const figures = [
    [t('campaigns.stat.selected'), formatNumber(total), null],
    [t('campaigns.stat.sent'), formatNumber(sent), outcomeColors.sent],
    [t('campaigns.page.rest.cancelled'), formatNumber(cancelled), outcomeColors.cancelled],
    [t('campaigns.stat.failed'), formatNumber(failed), outcomeColors.failed],
    [t('campaigns.stat.delivered'), formatNumber(delivered), outcomeColors.delivered],
    [t('campaigns.stat.read'), formatNumber(read), outcomeColors.read],
    [t('campaigns.stat.deliveryRate'), formatRate(delivered, sent + failed), null],
    [t('campaigns.stat.readRate'), formatRate(read, delivered), null],
  ] as const;
  const list = (
    <dl
      className={classNames(
        'grid grid-cols-4',
        wide ? 'gap-x-3 gap-y-4 @3xl:grid-cols-8' : 'gap-x-2 gap-y-2.5',
      )}
    >
      {figures.map(([label, value, color]) => (
        // A long name takes two lines; the figures of a row stay on one line.
        <div key={label} className="flex min-w-0 flex-col justify-end">
          <dt className={classNames('wrap-anywhere hyphens-auto text-muted', wide ? 'text-sm' : 'text-xs')}>
            {label}
          </dt>
          <dd
            className={classNames(
              'flex items-center gap-1.5 font-semibold tabular-nums',
              wide && 'text-xl leading-8 tracking-tight',
            )}
          >
            {color && !wide ? <SeriesMark color={color} /> : null}
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
  // Eight large figures need a wide place, even in a wide window.
  return wide ? <div className="@container">{list}</div> : list;
}

/** The parts of the progress bar, each recipient in one of them: named apart from the figures above, which add up the steps. */
export function progressParts(counts: Campaign['counts']): ProgressPart[] {
  const split = splitProgress(counts);
  const parts: ProgressPart[] = [
    { label: t('campaigns.stat.read'), value: split.read, color: outcomeColors.read },
    { label: t('campaigns.part.delivered'), value: split.delivered, color: outcomeColors.delivered },
    { label: t('campaigns.part.sent'), value: split.sent, color: outcomeColors.sent },
    { label: t('campaigns.stat.failed'), value: split.failed, color: outcomeColors.failed },
    { label: t('campaigns.page.rest.unknown'), value: split.unknown, color: outcomeColors.unknown },
    { label: t('campaigns.page.rest.cancelled'), value: split.cancelled, color: outcomeColors.cancelled },
  ];
  return parts.filter((part, index) => part.value > 0 || index < 4);
}

export function CampaignsSummary({ summary }: { summary: ReturnType<typeof useCampaignSummary> }) {
  const { data, isError } = summary;
  const unknown = isError ? '–' : undefined;
  const rate = data ? formatWholePercent(data.successRate / 100) : unknown;
  return (
    <SummaryCards label={t('campaigns.title')} low="two-lines">
      <SummaryCard label={t('campaigns.summary.total')} icon={<Megaphone />} value={data?.total ?? unknown} />
      <SummaryCard label={t('campaigns.summary.active')} icon={<Send />} value={data?.running ?? unknown} />
      <SummaryCard
        label={t('campaigns.summary.completed')}
        icon={<CircleCheck />}
        value={data?.completed ?? unknown}
      />
      <SummaryCard label={t('campaigns.summary.successRate')} icon={<Percent />} value={rate} />
    </SummaryCards>
  );
}
