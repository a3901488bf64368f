import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const contactImportsTableRules = {
  contact_imports: {
    noContacts: 'who imported which file, and figures',
    archive: {
      how: 'move',
      columns: { ...as.ofOwnId, file_columns: as.asWritten },
      onlyBack: 'an import is told of with its act, which stays where it was',
    },
    clear: {
      how: 'delete',
      where: `NOT EXISTS (SELECT FROM contacts c WHERE c.import_id = contact_imports.id)
    AND NOT EXISTS (SELECT FROM contact_consents k WHERE k.import_id = contact_imports.id)`,
      keptForFile: 'the same',
    },
  },
  contact_import_changes: {
    archive: {
      how: 'move',
      columns: { ...as.ofWorkspace, import_id: as.id, contact_id: as.id, custom_values: as.document },
      onlyBack: 'an import is taken back where it was made',
    },
    clear: { how: 'cascade' },
  },
  contact_import_errors: {
    archive: {
      how: 'move',
      columns: { ...as.ofWorkspace, import_id: as.id, values: as.document },
      onlyBack: 'what came of an import is told with its act, which stays where it was',
    },
    clear: { how: 'cascade' },
  },
} as const satisfies TableRules;
