import { useQuery } from '@tanstack/react-query';
import { ActivityFeed } from '../../shared/activity/activity-feed.tsx';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';
import { PageFrame, Panel } from '../../ui/page-frame.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { CampaignStatusChart } from './campaign-status-chart.tsx';
import { overviewOptions } from './dashboard-queries.ts';
import { FigureCards } from './figure-cards.tsx';
import { MessageAnalyticsChart } from './message-analytics-chart.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentCampaigns } from './recent-campaigns.tsx';
import { SystemStatus } from './system-status.tsx';

const FEED_LENGTH = 10;

/** The home of the dashboard. */
export function DashboardPage() {
  const { data, error, refetch } = useQuery(overviewOptions());
  const hasFailed = error !== null && data === undefined;
  return (
    <PageFrame
      title={t('dashboard.title')}
      purpose={t('dashboard.purpose')}
      summary={hasFailed ? undefined : <FigureCards overview={data} />}
    >
      {/* Two columns that end where their panels end; on a telephone one after the other, the feed last. */}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-3 lg:items-start">
        <div className="contents lg:col-span-2 lg:flex lg:flex-col lg:gap-4">
          {hasFailed ? (
            <Panel title={t('dashboard.figures')} flush>
              <ErrorState className="py-8" text={failureText(error)} onRetry={() => void refetch()} />
            </Panel>
          ) : (
            <>
              <MessageAnalyticsChart week={data?.week} />
              <RecentCampaigns campaigns={data?.recentCampaigns} />
            </>
          )}
          <div className="max-lg:order-last">
            <ActivityFeed length={FEED_LENGTH} viewedPage="dashboard" />
          </div>
        </div>
        <div className="contents lg:flex lg:flex-col lg:gap-4">
          <SystemStatus />
          {hasFailed ? null : <CampaignStatusChart counts={data?.campaignStatus} />}
          <QuickActions />
        </div>
      </div>
    </PageFrame>
  );
}
