import type { TableRules } from '../table-rules.ts';

export const apiKeysTableRules = {
  api_keys: {
    noContacts: 'keys of people who work here, who are no contacts',
    archive: { how: 'leave-out', because: 'they open one installation' },
    clear: { how: 'keep', because: 'of people' },
  },
} as const satisfies TableRules;
