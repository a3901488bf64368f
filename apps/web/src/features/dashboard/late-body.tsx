import { Suspense } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { ChartPlace } from '../../ui/charts/chart-place.tsx';
import { partAhead } from './part-ahead.ts';
import { PanelPlace } from './panel-place.tsx';

// It is no part of the frame's file, and comes beside what it shows.
const importBody = () => import('./panels/home-body.tsx');

const Analytics = partAhead(async () => (await importBody()).MessageAnalyticsChart);
const Campaigns = partAhead(async () => (await importBody()).RecentCampaigns);
const Statuses = partAhead(async () => (await importBody()).CampaignStatusChart);
const Status = partAhead(async () => (await importBody()).SystemStatus);
const Actions = partAhead(async () => (await importBody()).QuickActions);

/** Loads what stands below the figures. */
export const loadBody = () =>
  Promise.all([Analytics, Campaigns, Statuses, Status, Actions].map((part) => part.load()));

export function LateAnalytics(props: ComponentProps<typeof Analytics>) {
  const words = { title: t('dashboard.analytics'), unit: t('dashboard.analyticsUnit') };
  return late(<Analytics {...props} />, <ChartPlace {...words} hasLegend />);
}

export function LateStatuses(props: ComponentProps<typeof Statuses>) {
  const words = { title: t('dashboard.campaignStatus'), unit: t('dashboard.campaignStatusUnit') };
  return late(<Statuses {...props} />, <ChartPlace {...words} isRing />);
}

export function LateCampaigns(props: ComponentProps<typeof Campaigns>) {
  return late(<Campaigns {...props} />, <PanelPlace title={t('dashboard.recent')} rows={5} />);
}

export function LateStatus() {
  return late(<Status />, <PanelPlace title={t('dashboard.system')} rows={4} />);
}

/** A role may have none: its place is not kept. */
export function LateActions() {
  return late(<Actions />, null);
}

function late(part: ReactNode, place: ReactNode) {
  return <Suspense fallback={place}>{part}</Suspense>;
}
