import type { ServerFeature } from '../platform/features/server-feature.ts';
import { customFieldsApi } from './custom-fields-api.ts';
import { takeOutRemovedValues } from './take-out-values.ts';

export const customFieldsFeature = {
  name: 'custom-fields',
  tables: {
    custom_fields: 'what fields there are; their values stand with the contacts',
    removed_custom_fields: 'ids of fields',
  },
  router: { customFields: customFieldsApi },
  upkeep: { seldom: [takeOutRemovedValues] },
} satisfies ServerFeature;
