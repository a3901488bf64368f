import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

const IS_STORED = `s.state <> 'stored' OR EXISTS (SELECT FROM archive_files f WHERE f.there = s.content)`;

export const messageFilesTableRules = {
  message_file_leavings: {
    noContacts: 'where bytes stood that nobody has any more, under keys of our own making',
    archive: { how: 'leave-out', because: 'bytes that wait to be removed' },
    clear: { how: 'keep', because: 'bytes that wait to be removed' },
  },
  message_files: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, message_id: as.id, contact_id: as.id, user_id: as.person, channel_id: as.id },
        ...{ content: as.storedOrNone, thumbnail: as.storedOrNone },
        ...{ size: as.storedSize('content'), sha256: as.storedSha256('content') },
        state: as.always(
          `CASE WHEN NOT (${IS_STORED}) THEN 'removed' WHEN s.state = 'fetching' THEN 'waiting' ELSE s.state END`,
        ),
      },
    },
    clear: {
      how: 'delete',
      after: ['messages'],
      where: '(contact_id IS NULL OR NOT EXISTS (SELECT FROM contacts WHERE id = contact_id))',
    },
  },
} as const satisfies TableRules;
