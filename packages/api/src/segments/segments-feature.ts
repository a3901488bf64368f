import type { ServerFeature } from '../platform/features/server-feature.ts';
import { segmentsApi } from './segments-api.ts';

export const segmentsFeature = {
  name: 'segments',
  router: { segments: segmentsApi },
} satisfies ServerFeature;
