import type { TableRules } from '../table-rules.ts';

export const activityTableRules = {
  presence_streams: {
    noContacts: 'people who work here, who are no contacts',
    archive: { how: 'leave-out', because: 'who is here now' },
    clear: { how: 'keep', because: 'of people' },
  },
} as const satisfies TableRules;
