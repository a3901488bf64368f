import { defaultPreferences, type DashboardWidget } from '@app/domain/profile/preferences';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { PageFrame, Panel } from '../../ui/page-frame.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { overviewOptions } from './dashboard-queries.ts';
import { FigureCards } from './figure-cards.tsx';
import { LateActions, LateAnalytics, LateCampaigns, LateStatus, LateStatuses } from './late-body.tsx';
import { LateFeed } from './late-feed.tsx';
import { LatePanels } from './late-panels.tsx';

/** What stands in the narrow column of the grid; all else is wide. */
const narrow: readonly DashboardWidget[] = ['system-status', 'campaign-status', 'quick-actions'];

/** The home of the dashboard: the parts that a person chose, in their order. */
export function DashboardPage() {
  const { user } = useSession();
  const { layout, widgets } = (user?.preferences ?? defaultPreferences).dashboard;
  const { data, error, refetch } = useQuery(overviewOptions());
  const hasFailed = error !== null && data === undefined;
  const parts: Record<DashboardWidget, ReactNode> = {
    stats: hasFailed ? null : <FigureCards overview={data} />,
    'message-analytics': hasFailed ? null : <LateAnalytics week={data?.week} />,
    'recent-campaigns': hasFailed ? null : <LateCampaigns campaigns={data?.recentCampaigns} />,
    'campaign-status': hasFailed ? null : <LateStatuses counts={data?.campaignStatus} />,
    activity: <LateFeed />,
    'system-status': <LateStatus />,
    'quick-actions': <LateActions />,
  };
  const failure = hasFailed ? (
    <Panel title={t('dashboard.figures')} flush>
      <ErrorState className="py-8" text={errorMessage(error)} onRetry={() => void refetch()} />
    </Panel>
  ) : null;
  const draw = (chosen: readonly DashboardWidget[]) =>
    chosen.map((widget) => <Fragment key={widget}>{parts[widget]}</Fragment>);

  const isGrid = layout === 'grid';
  const wide = widgets.filter((widget) => widget !== 'stats' && !narrow.includes(widget));
  return (
    <div data-home className="contents">
      <PageFrame
        title={t('dashboard.title')}
        purpose={t('dashboard.purpose')}
        summary={
          <>
            <LatePanels />
            {isGrid && widgets.includes('stats') ? parts.stats : null}
          </>
        }
      >
        {isGrid ? (
          // Two columns that end where their panels end; on a telephone one after the other, the feed last.
          <div className="flex flex-col gap-4 lg:grid lg:grid-cols-3 lg:items-start">
            <div className="contents lg:col-span-2 lg:flex lg:flex-col lg:gap-4">
              {failure}
              {wide.map((widget) => (
                <div key={widget} className={widget === 'activity' ? 'min-w-0 max-lg:order-last' : 'min-w-0'}>
                  {parts[widget]}
                </div>
              ))}
            </div>
            <div className="contents lg:flex lg:flex-col lg:gap-4">
              {draw(widgets.filter((widget) => narrow.includes(widget)))}
            </div>
          </div>
        ) : (
          <div className="flex flex-col gap-4">
            {failure}
            {draw(widgets)}
          </div>
        )}
      </PageFrame>
    </div>
  );
}
