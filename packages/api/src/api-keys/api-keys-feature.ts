import type { ServerFeature } from '../platform/features/server-feature.ts';
import { apiKeysApi } from './api-keys-api.ts';
import { revokeAfterUndo } from './revoke-after-undo.ts';

export const apiKeysFeature = {
  name: 'api-keys',
  router: { apiKeys: apiKeysApi },
  consumers: [revokeAfterUndo],
} satisfies ServerFeature;
