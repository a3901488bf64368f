import type { TableRules } from '../table-rules.ts';

export const passkeysTableRules = {
  passkeys: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
} as const satisfies TableRules;
