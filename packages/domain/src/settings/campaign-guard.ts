import type { PoorQuality } from '../channels/number-standing.ts';

/**
 * When a campaign pauses by itself: the platform finds the quality of its number or template as poor as that, or poorer, or so many percent failed
 * among the newest of which anything is known.
 */
export type CampaignGuard = {
  isEnabled: boolean;
  quality: PoorQuality;
  failurePercent: number;
  among: number;
};

/** Of fewer than a hundred a few wrong numbers would say too much. */
export const defaultCampaignGuard: CampaignGuard = {
  ...{ isEnabled: true, quality: 'red' },
  ...{ failurePercent: 25, among: 100 },
};

export const guardLimits = {
  failurePercent: { least: 1, most: 100 },
  among: { least: 20, most: 10_000 },
} as const;
