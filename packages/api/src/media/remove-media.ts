import { media } from '@app/database/media/media-tables';
import { eq } from 'drizzle-orm';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { lockMedia } from './media-queries.ts';

/** Steps of the draft, and of what is published, that send it. */
const IN_STEPS = `('$[*][*].config.file ? (@ == "' || $2 || '")')::jsonpath`;

/**
 * Deletes a file of the library unless a template, a quick reply, a stored content or a flow uses it; null when it is gone. Its bytes go after the
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
      UNION ALL SELECT FROM channel_contents WHERE workspace_id = $1 AND media_ids @> ARRAY[$2::uuid]
      UNION ALL SELECT FROM flows f LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.number = f.published
        WHERE f.workspace_id = $1 AND jsonb_build_array(f.draft->'steps', v.content->'steps') @? ${IN_STEPS} LIMIT 1`,
    [scope.workspaceId, file.id],
  );
  if (rowCount !== 0) return 'media_in_use';
  await scope.tx.delete(media).where(eq(media.id, file.id));
  await scope.emit({ type: 'media.deleted', subject: file.id, values: { name: file.name } });
  scope.afterCommit(() => mediaStore.remove(file.storageKey));
  return null;
}
