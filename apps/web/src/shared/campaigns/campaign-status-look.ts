import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import type { BadgeTone } from '../../ui/badge.tsx';
import type { ChartColor } from '../../ui/charts/chart-series.ts';

/** A state of campaigns looks one way everywhere: its badge, and of the same hue its part of a chart, in colours that no outcome of messages has. */
export const campaignStatusLook: Record<CampaignStatus, { tone: BadgeTone; color: ChartColor }> = {
  completed: { tone: 'success', color: 7 },
  running: { tone: 'primary', color: 8 },
  scheduled: { tone: 'info', color: 9 },
  draft: { tone: 'neutral', color: 10 },
  paused: { tone: 'warning', color: 11 },
  cancelled: { tone: 'danger', color: 12 },
};
