import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const contactMergesTableRules = {
  contact_merges: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, survivor_id: as.id, consent_id: as.id, before: as.stays, after: as.stays },
        moved: as.always(`CASE WHEN $2::uuid IS NULL THEN s.moved ELSE '{}' END`),
      },
    },
    clear: { how: 'delete' },
  },
  contact_merge_parts: {
    archive: {
      how: 'move',
      columns: {
        ...as.ofWorkspace,
        merge_id: as.id,
        contact_id: as.id,
        contact: as.document,
        former_ids: as.ids,
      },
      onlyBack: 'a merge is taken back where it was made, with the numbers of runs that it moved',
    },
    clear: { how: 'cascade' },
  },
  contact_aliases: {
    archive: { how: 'move', columns: { ...as.ofWorkspace, contact_id: as.id, merge_id: as.id } },
    clear: { how: 'delete', where: 'NOT EXISTS (SELECT FROM contacts c WHERE c.id = contact_id)' },
  },
  distinct_contacts: {
    archive: {
      how: 'move',
      columns: {
        ...as.ofWorkspace,
        first_id: as.always('least(moved_id($2, s.first_id), moved_id($2, s.second_id))'),
        second_id: as.always('greatest(moved_id($2, s.first_id), moved_id($2, s.second_id))'),
      },
    },
    clear: { how: 'delete' },
  },
  merged_contacts: {
    archive: {
      how: 'move',
      columns: { ...as.ofWorkspace, contact_id: as.id, survivor_id: as.id, merge_id: as.id },
    },
    clear: { how: 'delete' },
  },
} as const satisfies TableRules;
