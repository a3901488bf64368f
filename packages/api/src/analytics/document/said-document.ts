import { LARGEST_CHANGE } from '@app/domain/analytics/report-view';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { mailWords } from '../../platform/words/mail-words.ts';
import type { ReportDocument } from './read-document.ts';

export type SaidTable = {
  title: string;
  head: readonly string[];
  /** A label, then figures as the language writes them. */
  rows: readonly (readonly string[])[];
  /** For a table that is drawn as well. */
  bars?: readonly { label: string; value: number }[];
  note?: string;
};
export type SaidDocument = {
  period: string;
  /** What the figures are narrowed to, such as `Tag: vip`. */
  filters: readonly string[];
  figures: readonly { label: string; value: string; change: string | null }[];
  tables: readonly SaidTable[];
};

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;

/** A report in the words and numbers of its reader. `isForOthers`: for people outside, to whom no member is named. */
export function sayDocument(
  document: ReportDocument,
  language: InterfaceLanguage,
  { isForOthers = false } = {},
): SaidDocument {
  const words = mailWords(language);
  const number = new Intl.NumberFormat(language);
  const rate = new Intl.NumberFormat(language, {
    ...{ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
  });
  const percent = (value: number | null) => (value === null ? '–' : rate.format(value / 100));
  const whole = new Intl.NumberFormat(language, { style: 'percent' });
  const sayChange = (change: number) =>
    change > LARGEST_CHANGE
      ? `> ${whole.format(LARGEST_CHANGE / 100)}`
      : `${change > 0 ? '+' : ''}${percent(change)}`;
  const { measure, summary, volume, statuses, campaigns, templates, bestTime } = document;
  const counts = (one: Record<(typeof COUNTS)[number], number>) =>
    COUNTS.map((name) => number.format(one[name]));
  const heads = COUNTS.map((name) => words(`report.${name}`));
  const dayOf = dayFormat(language, volume.bucket);
  const hourOf = hourFormat(language);
  const nameOf = ({ name, isDeleted }: { name: string | null; isDeleted: boolean }) => {
    if (name === null) return words('report.unnamed');
    return isDeleted ? words('report.deleted', { name }) : name;
  };
  const figure = (name: 'messages' | 'deliveryRate' | 'readRate' | 'responseRate') => {
    const { value, change } = summary[name];
    return {
      label: words(`report.${name}`),
      value: name === 'messages' ? number.format(summary.messages.value) : percent(value),
      change:
        change === null
          ? null
          : words(name === 'messages' ? 'report.change' : 'report.pointsChange', {
              change: sayChange(change),
            }),
    };
  };
  const { peak } = bestTime;
  const period = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    period: words('report.period', {
      days: period.formatRange(
        Date.parse(`${summary.from}T00:00:00Z`),
        Date.parse(`${summary.to}T00:00:00Z`),
      ),
      zone: document.zone.replaceAll('_', ' '),
    }),
    filters: sayFilters(document, language, isForOthers),
    figures: [figure('messages'), figure('deliveryRate'), figure('readRate'), figure('responseRate')],
    tables: [
      {
        title: words(`report.volume.${measure}.${volume.bucket}`),
        head: [words(`report.${volume.bucket}`), ...heads],
        rows: volume.points.map((one) => [dayOf(one.day), ...counts(one)]),
        bars: volume.points.map((one) => ({ label: dayOf(one.day), value: one[measure] })),
      },
      {
        title: words('report.statuses'),
        head: [words('report.status'), words('report.messages')],
        rows: (['read', 'delivered', 'sent', 'failed'] as const).map((name) => [
          words(`report.part.${name}`),
          number.format(statuses[name]),
        ]),
      },
      {
        title: words('report.campaigns'),
        head: [words('report.campaign'), ...heads],
        rows: campaigns.items.map((one) => [nameOf(one), ...counts(one)]),
        ...(campaigns.total > campaigns.items.length && {
          note: words('report.more', { shown: campaigns.items.length, total: campaigns.total }),
        }),
      },
      {
        title: words('report.templates'),
        head: [words('report.template'), words('report.readRate'), words('report.delivered')],
        rows: templates.items
          .filter(({ delivered }) => delivered > 0)
          .map((one) => [nameOf(one), percent(one.readRate), number.format(one.delivered)]),
      },
      {
        title: words('report.bestTime'),
        head: [words('report.hour'), words('report.read')],
        rows: bestTime.hours.map(({ hour, read }) => [hourOf(hour), number.format(read)]),
        bars: bestTime.hours.map(({ hour, read }) => ({ label: hourOf(hour), value: read })),
        ...(peak && { note: words('report.peak', { from: hourOf(peak.from), to: hourOf(peak.to) }) }),
      },
    ],
  };
}

function sayFilters(
  { filters }: ReportDocument,
  language: InterfaceLanguage,
  isForOthers: boolean,
): string[] {
  const words = mailWords(language);
  const countries = new Intl.DisplayNames(language, { type: 'region' });
  return filters.map(({ kind, name }) => {
    if (kind === 'agent' && isForOthers) return words('report.filter.oneMember');
    const value = name === null ? words('report.unnamed') : kind === 'country' ? countries.of(name) : name;
    return words('report.filter', { name: words(`report.filter.${kind}`), value: value ?? '' });
  });
}

function dayFormat(language: InterfaceLanguage, bucket: 'day' | 'week' | 'month'): (day: string) => string {
  const format = new Intl.DateTimeFormat(language, {
    ...(bucket === 'month' ? { year: 'numeric', month: 'long' } : { dateStyle: 'medium' }),
    timeZone: 'UTC',
  });
  return (day) => format.format(Date.parse(`${day}T00:00:00Z`));
}

function hourFormat(language: InterfaceLanguage): (hour: number) => string {
  const format = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return (hour) => format.format(Date.UTC(2026, 0, 1, hour));
}
