import { media, mediaUploads } from '@app/database/media/media-tables';
import type { Queries } from '@app/database/database';
import type { MediaType } from '@app/domain/media/media';
import { and, desc, eq, sql } from 'drizzle-orm';
import { cutPage, readCursor } from '../platform/keyset.ts';

export type StoredMedia = typeof media.$inferSelect;
export type StoredUpload = typeof mediaUploads.$inferSelect;

export async function listMedia(
  tx: Queries,
  workspaceId: string,
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
  tx: Queries,
  workspaceId: string,
  mediaId: string,
): Promise<StoredMedia | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, mediaId)));
  return row;
}

/** An upload belongs to whoever began it. */
export async function lockUpload(
  tx: Queries,
  workspaceId: string,
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
  tx: Queries,
  workspaceId: string,
  userId: string,
  uploadId: string,
): Promise<StoredMedia | undefined> {
  const found = await findMedia(tx, workspaceId, uploadId);
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
