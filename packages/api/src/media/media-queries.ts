import { media, mediaUploads } from '@app/database/media/media-tables';
import type { MediaType } from '@app/domain/media/media';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { cutPage, readCursor } from '../platform/keyset.ts';

export type StoredMedia = typeof media.$inferSelect;
export type StoredUpload = typeof mediaUploads.$inferSelect;

export async function listMedia(
  { tx, workspaceId }: ReadScope,
  { type, limit, cursor }: { type?: MediaType | undefined; limit: number; cursor?: string | undefined },
) {
  const after = readCursor(cursor);
  // Ids grow with time, so that they alone give the order.
  const rows = await tx
    .select()
    .from(media)
    .where(
      and(
        eq(media.workspaceId, workspaceId),
        type && eq(media.type, type),
        after ? sql`${media.id} < ${after.id}::uuid` : undefined,
      ),
    )
    .orderBy(desc(media.id))
    .limit(limit + 1);
  const { items, nextCursor } = cutPage(rows, limit, ({ id }) => ({ key: '', id }));
  return { items: items.map(presentMedia), nextCursor };
}

export async function findMedia(
  { tx, workspaceId }: ReadScope,
  mediaId: string,
): Promise<StoredMedia | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, mediaId)));
  return row;
}

/** The same until the transaction ends, so that of two who delete it one finds it gone. */
export async function lockMedia(
  { tx, workspaceId }: WorkspaceScope,
  mediaId: string,
): Promise<StoredMedia | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, mediaId)))
    .for('update');
  return row;
}

/** An upload belongs to whoever began it. */
export async function lockUpload(
  { tx, workspaceId }: ReadScope,
  userId: string,
  uploadId: string,
): Promise<StoredUpload | undefined> {
  const [row] = await tx
    .select()
    .from(mediaUploads)
    .where(
      and(
        eq(mediaUploads.workspaceId, workspaceId),
        eq(mediaUploads.userId, userId),
        eq(mediaUploads.id, uploadId),
      ),
    )
    .for('update');
  return row;
}

/** What an upload has become: a file has the id of its upload, and answers whoever lost the answer to its last part. */
export async function findUploaded(
  scope: ReadScope,
  userId: string,
  uploadId: string,
): Promise<StoredMedia | undefined> {
  const found = await findMedia(scope, uploadId);
  return found?.uploadedBy === userId ? found : undefined;
}

export function presentMedia({ id, name, type, mimeType, size, uploadedAt }: StoredMedia) {
  return {
    id,
    name,
    type,
    mimeType,
    size,
    url: `/api/media/${id}/content`,
    uploadedAt: uploadedAt.toISOString(),
  };
}
