import type { TableRules } from '../table-rules.ts';

export const usersTableRules = {
  invitations: {
    noContacts: 'people who work here, who are no contacts',
    archive: { how: 'leave-out', because: 'links of mails that open one installation' },
    clear: { how: 'keep', because: 'of people' },
  },
} as const satisfies TableRules;
