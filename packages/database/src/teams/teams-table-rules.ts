import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const teamsTableRules = {
  teams: {
    noContacts: 'names of teams',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'keep', because: 'of people' },
  },
  team_members: {
    noContacts: 'people who work here, who are no contacts',
    archive: { how: 'move', columns: { ...as.ofWorkspace, team_id: as.id, user_id: as.owner } },
    clear: { how: 'keep', because: 'of people' },
  },
} as const satisfies TableRules;
