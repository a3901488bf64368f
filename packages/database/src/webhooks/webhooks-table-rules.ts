import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const webhooksTableRules = {
  webhook_calls: {
    noContacts: 'the form of what the platform called, without what people wrote or are called',
    archive: { how: 'move', columns: { ...as.ofOwnId, channel_ids: as.ids } },
    clear: { how: 'delete', keptForFile: 'what platforms called goes by its time' },
  },
  platform_events: {
    archive: { how: 'move', columns: { ...as.ofOwnId, channel_id: as.id, payload: as.asWritten } },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
