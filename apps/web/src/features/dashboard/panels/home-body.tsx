/** The parts of the home that stand below its figures, in one file: it comes beside the figures, not before them. */
export { CampaignStatusChart } from './campaign-status-chart.tsx';
export { MessageAnalyticsChart } from './message-analytics-chart.tsx';
export { QuickActions } from './quick-actions.tsx';
export { RecentCampaigns } from './recent-campaigns.tsx';
export { SystemStatus } from './system-status.tsx';
