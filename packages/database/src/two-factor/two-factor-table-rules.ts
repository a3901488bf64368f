import type { TableRules } from '../table-rules.ts';

export const twoFactorTableRules = {
  two_factor: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  recovery_codes: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  trusted_devices: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
} as const satisfies TableRules;
