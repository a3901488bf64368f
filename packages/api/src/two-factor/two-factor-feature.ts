import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deletePastTrust } from './trusted-devices.ts';
import { twoFactorApi } from './two-factor-api.ts';

export const twoFactorFeature = {
  name: 'two-factor',
  tables: {
    two_factor: 'people who work here, who are no contacts',
    recovery_codes: 'people who work here, who are no contacts',
    trusted_devices: 'people who work here, who are no contacts',
  },
  router: { twoFactor: twoFactorApi },
  upkeep: { seldom: [deletePastTrust] },
} satisfies ServerFeature;
