import type { TableRules } from '../table-rules.ts';

export const profileTableRules = {
  avatars: {
    noContacts: 'pictures of people who work here',
    isOfInstallation: true,
  },
} as const satisfies TableRules;
