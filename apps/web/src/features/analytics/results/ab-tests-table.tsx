import { formatPercent } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import type { Reports } from '../analytics-queries.ts';
import { TablePanel } from '../table-panel.tsx';

/** Of a variant that did not win: without a winner it says why there is none. */
const LABELS = {
  winner: 'analytics.abTests.of',
  too_few: 'analytics.abTests.tooFew',
  no_difference: 'analytics.abTests.noDifference',
} as const;

/** How the variants of A/B tests did; nothing where none ended. */
export function AbTestsTable({ results }: { results: Reports['getResults'] | undefined }) {
  if (!results || results.abTests.length === 0) return null;
  return (
    <TablePanel
      empty={t('analytics.results.noCampaigns')}
      formats={{ rate: formatPercent, low: formatPercent, high: formatPercent }}
      table={{
        title: t('analytics.abTests.title'),
        labelHeader: t('analytics.abTests.variant'),
        series: [
          { key: 'base', label: t('analytics.delivered'), color: 1 },
          { key: 'rate', label: t('analytics.abTests.rate'), color: 1 },
          { key: 'low', label: t('analytics.abTests.low'), color: 1 },
          { key: 'high', label: t('analytics.abTests.high'), color: 1 },
        ],
        points: results.abTests.flatMap(({ name, metric, outcome, variants }) =>
          variants.map(({ base, hits, interval, isWinner }, place) => ({
            label: t(isWinner ? 'analytics.abTests.winner' : LABELS[outcome], {
              ...{ name, letter: 'ABCD'[place] ?? '', metric: t(`analytics.abTests.metric.${metric}`) },
            }),
            values: {
              base,
              ...(base > 0 && { rate: hits / base }),
              ...(interval && { low: interval.low, high: interval.high }),
            },
          })),
        ),
      }}
    />
  );
}
