import { t } from '../../shared/messages.ts';
import { PieChart } from '../../ui/charts/charts.tsx';
import type { Overview } from './dashboard-queries.ts';

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
  return (
    <PieChart
      title={t('dashboard.campaignStatus')}
      unit={t('dashboard.campaignStatusUnit')}
      labelHeader={t('dashboard.status')}
      valueHeader={t('dashboard.campaigns')}
      parts={
        counts &&
        statuses.map(([status, color]) => ({ label: t(`dashboard.${status}`), value: counts[status], color }))
      }
    />
  );
}
