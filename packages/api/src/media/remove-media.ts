import { media } from '@app/database/media/media-tables';
import { eq } from 'drizzle-orm';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { lockMedia } from './media-queries.ts';

/**
 * Deletes a file of the library unless a template, a quick reply or a stored content uses it; null when it is gone. Its bytes go after the
 * commit. Emits `media.deleted`.
 */
export async function removeMedia(
  scope: WorkspaceScope,
  mediaStore: ApiDependencies['mediaStore'],
  mediaId: string,
): Promise<'media_not_found' | 'media_in_use' | null> {
  const file = await lockMedia(scope, mediaId);
  if (!file) return 'media_not_found';
  const { rowCount } = await scope.query(
    `SELECT FROM templates WHERE workspace_id = $1 AND header_media_id = $2
      UNION ALL SELECT FROM quick_replies WHERE workspace_id = $1 AND media_id = $2
      UNION ALL SELECT FROM channel_contents WHERE workspace_id = $1 AND media_ids @> ARRAY[$2::uuid] LIMIT 1`,
    [scope.workspaceId, file.id],
  );
  if (rowCount !== 0) return 'media_in_use';
  await scope.tx.delete(media).where(eq(media.id, file.id));
  await scope.emit({ type: 'media.deleted', subject: file.id, values: { name: file.name } });
  scope.afterCommit(() => mediaStore.remove(file.storageKey));
  return null;
}
