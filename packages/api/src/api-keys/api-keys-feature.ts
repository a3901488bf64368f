import type { ServerFeature } from '../platform/features/server-feature.ts';
import { apiKeysApi } from './api-keys-api.ts';

export const apiKeysFeature = {
  name: 'api-keys',
  tables: { api_keys: 'keys of people who work here, who are no contacts' },
  router: { apiKeys: apiKeysApi },
} satisfies ServerFeature;
