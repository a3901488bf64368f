import type { ApiDependencies } from '../platform/request-context.ts';
import { pruneKept } from '../platform/retention/prune-kept.ts';
import { FILE_IS_OVER } from '../platform/retention/what-goes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

const AT_ONCE = 1_000;

/** Bytes of files that were kept for as long as their workspace wants; the message says what it had. Bytes that a newer file shares stay. */
export const pruneFiles = (parts: ApiDependencies): Promise<void> => pruneKept(parts, 'files', pruneSome);

async function pruneSome(scope: WorkspaceScope, before: Date): Promise<boolean> {
  const { rowCount } = await scope.query(
    `WITH old AS (
       SELECT f.id, f.content, f.thumbnail FROM message_files f
        WHERE f.workspace_id = $1 AND f.created_at < $2 AND ${FILE_IS_OVER}
        LIMIT ${AT_ONCE} FOR UPDATE OF f
     ), bytes AS (
       INSERT INTO message_file_leavings (workspace_id, storage_key)
       SELECT $1, k.storage_key FROM old CROSS JOIN LATERAL (VALUES (old.content), (old.thumbnail)) AS k (storage_key)
        WHERE k.storage_key IS NOT NULL)
     UPDATE message_files f SET state = 'removed', content = NULL, thumbnail = NULL, waveform = NULL, next_try_at = NULL
       FROM old WHERE f.id = old.id`,
    [scope.workspaceId, before],
  );
  return rowCount === AT_ONCE;
}
