import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const templatesTableRules = {
  templates: {
    noContacts: 'texts for everybody',
    archive: { how: 'move', columns: { ...as.ofOwnId, header_media_id: as.id, components: as.document } },
    clear: { how: 'delete', after: ['campaigns'] },
  },
} as const satisfies TableRules;
