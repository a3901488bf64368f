import type { TableRules } from '../table-rules.ts';

export const companySignInTableRules = {
  company_attempts: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  company_identities: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  company_leavers: {
    noContacts: 'people who worked here, named by nothing',
    isOfInstallation: true,
  },
} as const satisfies TableRules;
