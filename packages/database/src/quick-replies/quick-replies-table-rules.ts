import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const quickRepliesTableRules = {
  quick_replies: {
    noContacts: 'texts that staff wrote for nobody in particular',
    archive: { how: 'move', columns: { ...as.ofOwnId, owner_id: as.owner, media_id: as.id } },
    clear: { how: 'delete', keptForFile: 'of the inbox' },
  },
} as const satisfies TableRules;
