import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const customFieldsTableRules = {
  custom_fields: {
    noContacts: 'what fields there are; their values stand with the contacts',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: {
      how: 'delete',
      where: `id::text <> ALL (ARRAY(
    SELECT DISTINCT jsonb_object_keys(c.custom_values) FROM contacts c WHERE c.workspace_id = $1 AND c.custom_values <> '{}'))`,
    },
  },
  removed_custom_fields: {
    noContacts: 'ids of fields',
    archive: { how: 'move', columns: as.ofOwnId },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
