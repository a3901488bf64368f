import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deletePastAttempts } from './company-attempts.ts';
import { companySignInApi } from './company-sign-in-api.ts';

export const companySignInFeature = {
  name: 'company-sign-in',
  tables: {
    company_attempts: 'people who work here, who are no contacts',
    company_identities: 'people who work here, who are no contacts',
    company_leavers: 'people who worked here, named by nothing',
  },
  router: { companySignIn: companySignInApi },
  upkeep: { seldom: [deletePastAttempts] },
} satisfies ServerFeature;
