import { Link } from '@tanstack/react-router';
import { campaignStatusLook } from '../../../shared/campaigns/campaign-status-look.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { EmptyState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import type { Overview } from '../dashboard-queries.ts';

type Campaign = Overview['recentCampaigns'][number];

/** The five newest campaigns, each a link to its page. */
export function RecentCampaigns({ campaigns }: { campaigns: readonly Campaign[] | undefined }) {
  return (
    <Panel
      title={t('dashboard.recent')}
      flush
      actions={
        can('campaigns:read') ? (
          <ButtonLink to={paths.campaigns} variant="ghost" size="small">
            {t('dashboard.allCampaigns')}
          </ButtonLink>
        ) : null
      }
    >
      {campaigns === undefined ? (
        <SkeletonRegion className="space-y-4 px-5 py-3">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="w-full" />
          ))}
        </SkeletonRegion>
      ) : campaigns.length === 0 ? (
        <EmptyState
          className="py-8"
          title={t('dashboard.noCampaigns')}
          text={t('dashboard.noCampaignsText')}
          action={
            can('campaigns:create') ? (
              <ButtonLink to={paths.campaigns} search={{ form: 'new' }}>
                {t('dashboard.createCampaign')}
              </ButtonLink>
            ) : undefined
          }
        />
      ) : (
        <ul className="divide-y divide-border px-5 pb-2">
          {campaigns.map((campaign) => (
            <li key={campaign.id} className="flex items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <Link
                  to={paths.campaign(campaign.id)}
                  className="block truncate font-medium underline-offset-4 hover:underline"
                >
                  {campaign.name}
                </Link>
                <p className="text-sm text-muted tabular-nums">
                  {t('dashboard.recentCounts', {
                    total: formatNumber(campaign.counts.total || campaign.audienceSize),
                    sent: formatNumber(campaign.counts.sent),
                    out: formatNumber(campaign.counts.cancelled),
                    failed: formatNumber(campaign.counts.failed),
                  })}
                </p>
              </div>
              <Badge tone={campaignStatusLook[campaign.status].tone} dot={campaign.status === 'running'}>
                {t(`dashboard.${campaign.status}`)}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
