import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const conversionsTableRules = {
  conversion_settings: {
    noContacts: 'choices of the workspace',
    archive: { how: 'move', columns: as.ofWorkspace },
    clear: { how: 'delete', keptForFile: 'of campaigns, and a file says nothing of it' },
  },
  conversions: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, contact_id: as.id, link_id: as.id, campaign_id: as.id },
        ...{ channel_id: as.id, template_id: as.id, content_id: as.id },
        external_id: as.asWritten,
      },
    },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
