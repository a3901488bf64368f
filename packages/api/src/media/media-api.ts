import { mediaContract } from '@app/contracts/media/media-contract';
import { media, mediaUploads } from '@app/database/media/media-tables';
import { newId } from '@app/database/new-id';
import { BYTES_PER_MEGABYTE, mediaRules } from '@app/domain/media/media';
import { and, eq, sql } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findMedia, findUploaded, listMedia, lockUpload, presentMedia } from './media-queries.ts';
import { removeParts } from './receive-upload.ts';

const os = implementEndpoints(mediaContract);

/** A forgotten upload keeps its bytes for a day, in case its tab comes back. */
const UPLOAD_LIFETIME = sql`interval '1 day'`;
const MOST_OPEN_UPLOADS = 20;

export const mediaApi = os.router({
  startUpload: os.startUpload.handler(async ({ input, context, errors }) => {
    const { workspaceId, user } = context.session;
    const { maxMegabytes } = mediaRules[input.purpose];
    if (input.size > maxMegabytes * BYTES_PER_MEGABYTE)
      throw errors.media_too_large({ data: { values: { n: maxMegabytes } } });
    const { upload, abandoned } = await context.inWorkspace(async (tx) => {
      const own = and(eq(mediaUploads.workspaceId, workspaceId), eq(mediaUploads.userId, user.id));
      const old = await tx
        .delete(mediaUploads)
        .where(
          sql`${mediaUploads.id} IN (SELECT id FROM media_uploads WHERE ${own} ORDER BY id DESC OFFSET ${MOST_OPEN_UPLOADS})
              OR (${mediaUploads.workspaceId} = ${workspaceId} AND ${mediaUploads.createdAt} < now() - ${UPLOAD_LIFETIME})`,
        )
        .returning();
      const created = { id: newId(), workspaceId, userId: user.id, ...input, createdAt: context.clock() };
      await tx.insert(mediaUploads).values(created);
      return { upload: created, abandoned: old };
    });
    await context.afterCommit(() =>
      Promise.all(abandoned.map((old) => removeParts(context.mediaStore, old))),
    );
    return { id: upload.id, size: upload.size, received: 0 };
  }),

  getUpload: os.getUpload.handler(async ({ input, context, errors }) => {
    const { workspaceId, user } = context.session;
    return context.inWorkspace(async (tx) => {
      const upload = await lockUpload(tx, workspaceId, user.id, input.uploadId);
      if (upload) return { id: upload.id, size: upload.size, received: upload.received };
      const file = await findUploaded(tx, workspaceId, user.id, input.uploadId);
      if (!file) throw errors.upload_not_found();
      return { id: file.id, size: file.size, received: file.size };
    });
  }),

  cancelUpload: os.cancelUpload.handler(async ({ input, context, errors }) => {
    const { workspaceId, user } = context.session;
    const upload = await context.inWorkspace(async (tx) => {
      const found = await lockUpload(tx, workspaceId, user.id, input.uploadId);
      if (found) await tx.delete(mediaUploads).where(eq(mediaUploads.id, found.id));
      return found;
    });
    if (!upload) throw errors.upload_not_found();
    await removeParts(context.mediaStore, upload);
    return {};
  }),

  list: os.list.handler(({ input, context }) =>
    context.inWorkspace((tx) => listMedia(tx, context.session.workspaceId, input)),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const row = await context.inWorkspace((tx) => findMedia(tx, context.session.workspaceId, input.mediaId));
    if (!row) throw errors.media_not_found();
    return presentMedia(row);
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const removed = await context.inWorkspace(async (tx) => {
      const row = await findMedia(tx, workspaceId, input.mediaId);
      if (!row) throw errors.media_not_found();
      const { rows } = await tx.execute(
        sql`SELECT FROM templates WHERE workspace_id = ${workspaceId} AND header_media_id = ${row.id} LIMIT 1`,
      );
      if (rows.length > 0) throw errors.media_in_use();
      await tx.delete(media).where(and(eq(media.workspaceId, workspaceId), eq(media.id, row.id)));
      await context.recordActivity(tx, {
        type: 'delete',
        resource: 'media',
        description: `Deleted file ${row.name}`,
      });
      return row;
    });
    await context.afterCommit(() => context.mediaStore.remove(removed.storageKey));
    return {};
  }),
});
