import { Download } from 'lucide-react';
import { formatMoney, formatNumber, formatRate } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { SeriesTable } from '../../../ui/charts/series-table.tsx';
import { Panel } from '../../../ui/page-frame.tsx';

const COLUMNS = [
  ...(['sent', 'delivered', 'read', 'failed', 'clicked', 'converted', 'fallback'] as const),
  'cost',
] as const;

type Column = (typeof COLUMNS)[number];
export type RcsFigures = Record<Column, number>;

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
      <SeriesTable
        {...{ title, labelHeader, series, rows }}
        cell={({ figures }, key) => <Figure {...{ figures, currency }} column={key as Column} />}
      />
    </Panel>
  );
}

/** With its share of what it is a part of, under it. */
function Figure({ figures, currency, column }: { figures: RcsFigures; currency: string; column: Column }) {
  if (column === 'cost') return formatMoney(figures.cost, currency);
  return (
    <>
      {formatNumber(figures[column])}
      {column in WHOLE && figures[column] > 0 ? (
        <span className="block text-sm text-muted">
          {formatRate(figures[column], figures[WHOLE[column as keyof typeof WHOLE]])}
        </span>
      ) : null}
    </>
  );
}
