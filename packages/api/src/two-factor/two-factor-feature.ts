import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deletePastTrust } from './trusted-devices.ts';
import { twoFactorApi } from './two-factor-api.ts';

export const twoFactorFeature = {
  name: 'two-factor',
  router: { twoFactor: twoFactorApi },
  upkeep: { seldom: [deletePastTrust] },
} satisfies ServerFeature;
