import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deletePastAttempts } from './company-attempts.ts';
import { companySignInApi } from './company-sign-in-api.ts';

export const companySignInFeature = {
  name: 'company-sign-in',
  router: { companySignIn: companySignInApi },
  upkeep: { seldom: [deletePastAttempts] },
} satisfies ServerFeature;
