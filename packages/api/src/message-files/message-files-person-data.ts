import type { Merge, Person, PersonData, Unmerge } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** Files belong to messages, and go where these go: the messages themselves are in the hands of conversations. */
export const messageFilesPersonData: PersonData = {
  tables: {
    message_files: {
      section: 'messageFiles',
      read: readByTime(
        `SELECT created_at AS at, id, id AS "fileId", message_id AS "messageId", created_at AS "receivedAt", kind, mime_type AS "mimeType", name, size,
                sha256, state, width, height, duration_ms AS "durationMs"
           FROM message_files WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND (created_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
  },
  erase,
  merge,
  unmerge: (scope, parted) => unmerge(scope, parted),
};

async function erase(scope: WorkspaceScope, { ids }: Person): Promise<void> {
  await scope.query('DELETE FROM message_files WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])', [
    scope.workspaceId,
    ids,
  ]);
}

async function merge(scope: WorkspaceScope, { survivorId, otherIds }: Merge): Promise<object> {
  await scope.query(
    'UPDATE message_files SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])',
    [scope.workspaceId, survivorId, otherIds],
  );
  return {};
}

/** The messages are back with their contacts by then. */
async function unmerge(scope: WorkspaceScope, { parts }: Unmerge): Promise<void> {
  await scope.query(
    `UPDATE message_files f SET contact_id = m.contact_id FROM messages m
      WHERE m.workspace_id = $1 AND m.contact_id = ANY ($2::uuid[]) AND f.workspace_id = $1 AND f.message_id = m.id
        AND f.contact_id IS DISTINCT FROM m.contact_id`,
    [scope.workspaceId, parts.map(({ contactId }) => contactId)],
  );
}
