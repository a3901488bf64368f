import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const rcsTableRules = {
  rcs_messages: {
    noContacts: 'messages that staff wrote for nobody in particular',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, content: as.document, sends: as.document, translations: as.document },
        ...{ sends_in: as.document, media_ids: as.ids },
      },
    },
    clear: { how: 'delete', keptForFile: 'a file holds none' },
  },
} as const satisfies TableRules;
