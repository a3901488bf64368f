import type { ServerFeature } from '../platform/features/server-feature.ts';
import { fallbackWorker } from './fallback-worker.ts';

export const fallbacksFeature = {
  name: 'fallbacks',
  tables: {
    campaign_fallbacks:
      'places in runs, with what was decided about them; the recipient itself stands in the run',
  },
  workers: [fallbackWorker],
} satisfies ServerFeature;
