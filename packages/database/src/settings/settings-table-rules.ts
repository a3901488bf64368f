import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const settingsTableRules = {
  logos: {
    noContacts: 'pictures of the business',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'delete', keptForFile: 'a file names none' },
  },
  profile_pushes: {
    noContacts: 'what became of telling platforms of the business',
    archive: { how: 'recount', because: 'the profile is brought to a number when that is connected' },
    clear: { how: 'keep', because: 'what the platform of a number knows of the business' },
  },
} as const satisfies TableRules;
