import { campaignStatusLook } from '../../../shared/campaigns/campaign-status-look.ts';
import { t } from '../../../shared/messages.ts';
import { PieChart } from '../../../ui/charts/charts.tsx';
import type { Overview } from '../dashboard-queries.ts';

const ALWAYS_SHOWN = ['completed', 'running', 'scheduled', 'draft'] as const;
const SHOWN_WHEN_ANY = ['paused', 'cancelled'] as const;

/** How the campaigns divide by status. */
export function CampaignStatusChart({ counts }: { counts: Overview['campaignStatus'] | undefined }) {
  const statuses = [...ALWAYS_SHOWN, ...SHOWN_WHEN_ANY.filter((status) => (counts?.[status] ?? 0) > 0)];
  return (
    <PieChart
      title={t('dashboard.campaignStatus')}
      unit={t('dashboard.campaignStatusUnit')}
      labelHeader={t('dashboard.status')}
      valueHeader={t('dashboard.campaigns')}
      parts={
        counts &&
        statuses.map((status) => ({
          label: t(`dashboard.${status}`),
          value: counts[status],
          color: campaignStatusLook[status].color,
        }))
      }
    />
  );
}
