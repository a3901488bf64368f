import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const contactsTableRules = {
  contact_counts: {
    noContacts: 'figures',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'cascade' },
  },
  contact_tag_counts: {
    noContacts: 'figures; a tag that only an erased person had goes with them',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'cascade' },
  },
  contact_growth: {
    noContacts: 'figures',
    archive: { how: 'recount', because: 'triggers count' },
    clear: { how: 'delete' },
  },
  contact_list_layouts: {
    noContacts: 'how each of staff wants the list; no contact is named in them',
    archive: { how: 'move', columns: { ...as.ofWorkspace, user_id: as.owner, layout: as.document } },
    clear: { how: 'keep', because: 'of people' },
  },
  contacts: {
    archive: { how: 'move', columns: { ...as.ofOwnId, import_id: as.id, custom_values: as.document } },
    clear: { how: 'cascade' },
  },
  contact_consents: {
    archive: {
      how: 'move',
      columns: { ...as.ofOwnId, contact_id: as.id, import_id: as.id, recorded_by: as.textId },
    },
    clear: { how: 'cascade' },
  },
  marketing_holds: {
    archive: { how: 'move', columns: { ...as.ofWorkspace, contact_id: as.id } },
    clear: { how: 'cascade' },
  },
  deleted_contacts: {
    archive: {
      how: 'move',
      columns: {
        ...{
          ...as.ofWorkspace,
          contact_id: as.id,
          removal_id: as.id,
          contact: as.document,
          messages: as.document,
        },
        ...{ consents: as.document, conversations: as.document, conversation_marks: as.document },
        ...{ conversation_notes: as.document, connector_threads: as.document },
      },
      onlyBack: 'what was deleted less than an hour ago comes back where that was done',
    },
    clear: { how: 'cascade' },
  },
} as const satisfies TableRules;
