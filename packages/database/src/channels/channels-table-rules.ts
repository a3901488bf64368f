import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const channelsTableRules = {
  channels: {
    noContacts: 'numbers of the workspace',
    archive: {
      how: 'move',
      columns: {
        ...as.ofOwnId,
        // Sealed with the key of this installation afterwards.
        credentials: as.asWritten,
        // Asked anew.
        ...{ standing: as.always('NULL'), asked_at: as.always('NULL'), proven_at: as.always('NULL') },
        templates_sync: as.always(`nullif(s.templates_sync, 'running')`),
        // The same number may be at work where the archive was taken.
        is_connected: as.always('s.is_connected AND $2::uuid IS NULL'),
      },
    },
    clear: {
      how: 'keep',
      because: 'numbers are disconnected, and connected again without typing everything anew',
    },
  },
} as const satisfies TableRules;
