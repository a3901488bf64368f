import type { ServerFeature } from '../platform/features/server-feature.ts';
import { fallbackWorker } from './fallback-worker.ts';

export const fallbacksFeature = {
  name: 'fallbacks',
  workers: [fallbackWorker],
} satisfies ServerFeature;
