import type { ServerFeature } from '../platform/features/server-feature.ts';
import { passkeysApi } from './passkeys-api.ts';

export const passkeysFeature = {
  name: 'passkeys',
  router: { passkeys: passkeysApi },
} satisfies ServerFeature;
