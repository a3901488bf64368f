import { formatDay, formatMonth } from '../../shared/formats.ts';
import { formatHour } from './format-hour.ts';
import { t } from '../../shared/messages.ts';
import type { ChartPart, ChartPoint, ChartSeries } from '../../ui/charts/chart-series.ts';
import { outcomeColors } from '../../ui/charts/outcome-colors.ts';
import type { Counts, Reports } from './analytics-queries.ts';

/** A report as a table: what a chart draws and an export holds. */
export type ReportTable = {
  title: string;
  labelHeader: string;
  series: readonly ChartSeries[];
  points: readonly ChartPoint[] | undefined;
};

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;
const COLORS = { ...outcomeColors, replied: 3 } as const;

function seriesOf(names: readonly (keyof Counts)[]): ChartSeries[] {
  return names.map((name) => ({ key: name, label: t(`analytics.${name}`), color: COLORS[name] }));
}

function valuesOf({ sent, delivered, read, failed, replied }: Counts): Record<string, number> {
  return { sent, delivered, read, failed, replied };
}

/** What is deleted since says so. */
export function nameOf({ name, isDeleted }: { name: string | null; isDeleted: boolean }): string {
  if (name === null) return t('analytics.unnamed');
  return isDeleted ? t('analytics.deleted', { name }) : name;
}

/** As a place of a chart: below its bar stands the name alone, so that long names of deleted ones do not all end alike. */
export function placeOf(one: { name: string | null; isDeleted: boolean }) {
  return { label: nameOf(one), name: one.name ?? undefined };
}

export function volumeTable(volume: Reports['getVolume'] | undefined): ReportTable {
  return {
    title: t('analytics.volume'),
    labelHeader: t(`analytics.${volume?.bucket ?? 'day'}`),
    series: seriesOf(COUNTS),
    points: volume?.points.map(({ day, ...counts }) => ({
      label: volume.bucket === 'month' ? formatMonth(day) : formatDay(day),
      values: valuesOf(counts),
    })),
  };
}

export function statusParts(statuses: Reports['getStatuses'] | undefined): ChartPart[] | undefined {
  return (
    statuses && [
      { label: t('analytics.partRead'), value: statuses.read, color: outcomeColors.read },
      { label: t('analytics.partDelivered'), value: statuses.delivered, color: outcomeColors.delivered },
      { label: t('analytics.partSent'), value: statuses.sent, color: outcomeColors.sent },
      { label: t('analytics.failed'), value: statuses.failed, color: outcomeColors.failed },
    ]
  );
}

export function statusTable(statuses: Reports['getStatuses'] | undefined): ReportTable {
  return {
    title: t('analytics.statuses'),
    labelHeader: t('analytics.status'),
    series: [{ key: 'value', label: t('analytics.messages'), color: 1 }],
    points: statusParts(statuses)?.map(({ label, value }) => ({ label, values: { value } })),
  };
}

export function campaignTable(campaigns: Reports['getCampaigns'] | undefined): ReportTable {
  return {
    title: t('analytics.campaigns'),
    labelHeader: t('analytics.campaignHeader'),
    series: seriesOf(COUNTS),
    points: campaigns?.items.map((one) => ({ ...placeOf(one), values: valuesOf(one) })),
  };
}

export function templateTable(templates: Reports['getTemplates'] | undefined): ReportTable {
  return {
    title: t('analytics.templates'),
    labelHeader: t('analytics.template'),
    series: [...seriesOf(COUNTS), { key: 'readRate', label: t('analytics.readRate'), color: 1 }],
    points: templates?.items.map((one) => ({
      label: nameOf(one),
      values: { ...valuesOf(one), ...(one.readRate !== null && { readRate: one.readRate }) },
    })),
  };
}

export function bestTimeTable(bestTime: Reports['getBestTime'] | undefined): ReportTable {
  return {
    title: t('analytics.bestTime'),
    labelHeader: t('analytics.hour'),
    series: seriesOf(COUNTS),
    points: bestTime?.hours.map(({ hour, ...counts }) => ({
      label: formatHour(hour),
      values: valuesOf(counts),
    })),
  };
}
