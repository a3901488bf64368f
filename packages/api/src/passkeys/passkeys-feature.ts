import type { ServerFeature } from '../platform/features/server-feature.ts';
import { passkeysApi } from './passkeys-api.ts';

export const passkeysFeature = {
  name: 'passkeys',
  tables: {
    passkeys: 'people who work here, who are no contacts',
  },
  router: { passkeys: passkeysApi },
} satisfies ServerFeature;
