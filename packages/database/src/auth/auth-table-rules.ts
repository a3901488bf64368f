import type { TableRules } from '../table-rules.ts';

export const authTableRules = {
  users: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  accounts: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  sessions: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  verifications: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  sign_in_failures: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  email_changes: {
    noContacts: 'people who work here, who are no contacts',
    isOfInstallation: true,
  },
  memberships: {
    noContacts: 'people who work here, who are no contacts',
    archive: { how: 'stay', because: 'no file lets anybody in, or gives anybody a right' },
    clear: { how: 'keep', because: 'of people' },
  },
  workspaces: {
    noContacts: 'one row for each workspace',
    isOfInstallation: true,
  },
} as const satisfies TableRules;
