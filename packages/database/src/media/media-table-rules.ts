import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const mediaTableRules = {
  media: {
    noContacts: 'files of staff',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, uploaded_by: as.person, storage_key: as.stored },
        ...{ size: as.storedSize('storage_key'), sha256: as.storedSha256('storage_key') },
      },
    },
    clear: {
      how: 'delete',
      after: ['templates', 'quick_replies', 'rcs_messages', 'flows'],
      // One that a template or a stored content shows since then stays with it.
      where: `NOT EXISTS (SELECT FROM templates t WHERE t.header_media_id = media.id)
    AND NOT EXISTS (SELECT FROM channel_contents k WHERE k.media_ids @> ARRAY[media.id])
    AND NOT EXISTS (SELECT FROM flows f WHERE f.workspace_id = media.workspace_id
                     AND f.draft->'steps' @? ('$[*].config.file ? (@ == "' || media.id || '")')::jsonpath)`,
      keptForFile: 'templates of the file may show them',
    },
  },
  media_copies: {
    noContacts: 'under what platforms have files of staff',
    archive: { how: 'recount', because: 'files are brought to the platform again when they are sent' },
    clear: { how: 'cascade' },
  },
  media_uploads: {
    noContacts: 'files of staff that are on their way',
    archive: { how: 'leave-out', because: 'files of which a part has arrived: they are uploaded again' },
    clear: { how: 'keep', because: 'uploads that nobody finishes go by their time' },
  },
} as const satisfies TableRules;
