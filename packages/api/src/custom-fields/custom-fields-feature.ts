import type { ServerFeature } from '../platform/features/server-feature.ts';
import { customFieldsApi } from './custom-fields-api.ts';
import { takeOutRemovedValues } from './take-out-values.ts';

export const customFieldsFeature = {
  name: 'custom-fields',
  router: { customFields: customFieldsApi },
  upkeep: { seldom: [takeOutRemovedValues] },
} satisfies ServerFeature;
