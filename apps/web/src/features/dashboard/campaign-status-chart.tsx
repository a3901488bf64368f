import { Suspense } from 'react';
import { t } from '../../shared/messages.ts';
import { ChartPlace } from '../../ui/charts/chart-place.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import type { Overview } from './dashboard-queries.ts';

const PieChart = lazyDetail(async () => (await import('../../ui/charts/charts.tsx')).PieChart);

const ALWAYS_SHOWN = [
  ['completed', 1],
  ['running', 2],
  ['scheduled', 3],
  ['draft', 4],
] as const;
const SHOWN_WHEN_ANY = [
  ['paused', 5],
  ['cancelled', 6],
] as const;

/** How the campaigns divide by status. */
export function CampaignStatusChart({ counts }: { counts: Overview['campaignStatus'] | undefined }) {
  const statuses = [...ALWAYS_SHOWN, ...SHOWN_WHEN_ANY.filter(([status]) => (counts?.[status] ?? 0) > 0)];
  const words = { title: t('dashboard.campaignStatus'), unit: t('dashboard.campaignStatusUnit') };
  return (
    <Suspense fallback={<ChartPlace {...words} isLow />}>
      <PieChart
        {...words}
        labelHeader={t('dashboard.status')}
        valueHeader={t('dashboard.campaigns')}
        parts={
          counts &&
          statuses.map(([status, color]) => ({
            label: t(`dashboard.${status}`),
            value: counts[status],
            color,
          }))
        }
      />
    </Suspense>
  );
}
