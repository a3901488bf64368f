import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const segmentsTableRules = {
  segments: {
    noContacts: 'rules that staff wrote',
    archive: { how: 'move', columns: { ...as.ofOwnId, rules: as.document } },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
