import type { ServerFeature } from '../platform/features/server-feature.ts';
import { segmentsApi } from './segments-api.ts';

export const segmentsFeature = {
  name: 'segments',
  tables: {
    segments: 'rules that staff wrote',
  },
  router: { segments: segmentsApi },
} satisfies ServerFeature;
