import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const draftsTableRules = {
  conversation_drafts: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofWorkspace, user_id: as.owner, contact_id: as.id, channel_id: as.id, writing_id: as.id },
        ...{ reply_to: as.id, files: as.document, buttons: as.asWritten },
      },
    },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
