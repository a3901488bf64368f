import { Download } from 'lucide-react';
import { formatMoney, formatNumber, formatRate } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { SeriesHead } from '../../../ui/charts/series-head.tsx';
import { Panel } from '../../../ui/page-frame.tsx';

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'clicked', 'converted', 'fallback'] as const;
const COLUMNS = [...COUNTS, 'cost'] as const;

export type RcsFigures = Record<(typeof COLUMNS)[number], number>;

/** Of what each share is a part. */
const WHOLE = { delivered: 'sent', read: 'delivered', clicked: 'delivered', converted: 'delivered' } as const;

/** Figures by message or by country, with their rates, and as a file. */
export function FiguresTable({
  title,
  labelHeader,
  currency,
  rows,
}: {
  title: string;
  labelHeader: string;
  currency: string;
  rows: readonly { label: string; figures: RcsFigures }[];
}) {
  const series = COLUMNS.map((key) => ({ key, label: t(`rcs-analytics.${key}`), color: 1 as const }));
  const points = rows.map(({ label, figures }) => ({
    label,
    values: Object.fromEntries(COLUMNS.map((key) => [key, figures[key]])),
  }));
  return (
    <Panel
      title={title}
      actions={
        <IconButton
          size="small"
          label={t('rcs-analytics.download', { table: title })}
          onClick={() =>
            void import('../../../ui/charts/chart-files.ts').then(({ saveCsv }) =>
              saveCsv({ title, labelHeader, series, points }),
            )
          }
        >
          <Download aria-hidden />
        </IconButton>
      }
    >
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={title}>
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">{title}</caption>
          <SeriesHead labelHeader={labelHeader} series={series} />
          <tbody>
            {rows.map(({ label, figures }, at) => (
              <tr key={`${at}${label}`} className="border-t border-border align-top">
                <th scope="row" className="min-w-32 py-2 pr-4 font-normal wrap-anywhere">
                  <bdi>{label}</bdi>
                </th>
                {COUNTS.map((key) => (
                  <td key={key} className="px-2 py-2 text-right whitespace-nowrap">
                    {formatNumber(figures[key])}
                    {key in WHOLE && figures[key] > 0 ? (
                      <span className="block text-sm text-muted">
                        {formatRate(figures[key], figures[WHOLE[key as keyof typeof WHOLE]])}
                      </span>
                    ) : null}
                  </td>
                ))}
                <td className="px-2 py-2 text-right whitespace-nowrap">
                  {formatMoney(figures.cost, currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
