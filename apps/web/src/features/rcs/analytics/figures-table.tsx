import { rcsRates } from '@app/domain/rcs/rcs-message';
import { Download } from 'lucide-react';
import { formatMoney, formatNumber, formatShare } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { SeriesTable } from '../../../ui/charts/series-table.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { rateText } from '../rate-text.ts';

const COLUMNS = [
  ...(['sent', 'delivered', 'read', 'failed', 'clicked', 'converted', 'fallback'] as const),
  'cost',
] as const;

type Column = (typeof COLUMNS)[number];
export type RcsFigures = Record<Column, number>;

/** Of what each share is a part; clicks and conversions have the rates of the specification. */
const WHOLE = { delivered: 'sent', read: 'delivered' } as const;
const RATES = { clicked: 'click', converted: 'conversion' } as const;

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
  const share = shareOf(figures, column);
  return (
    <>
      {formatNumber(figures[column])}
      {share !== null && figures[column] > 0 ? (
        <span className="block text-sm text-muted">{share}</span>
      ) : null}
    </>
  );
}

function shareOf(figures: RcsFigures, column: Column): string | null {
  if (column === 'delivered' || column === 'read')
    return formatShare(figures[column], figures[WHOLE[column]]);
  if (column !== 'clicked' && column !== 'converted') return null;
  return rateText(rcsRates({ ...figures, conversions: figures.converted })[RATES[column]]);
}
