import { mediaContract } from '@app/contracts/media/media-contract';
import { mediaUploads } from '@app/database/media/media-tables';
import { newId } from '@app/database/new-id';
import { BYTES_PER_MEGABYTE, mediaRules } from '@app/domain/media/media';
import { and, eq, sql } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findMedia, findUploaded, listMedia, lockUpload, presentMedia } from './media-queries.ts';
import { removeParts } from './receive-upload.ts';
import { removeMedia } from './remove-media.ts';

const os = implementEndpoints(mediaContract);

/** A forgotten upload keeps its bytes for a day, in case its tab comes back. */
const UPLOAD_LIFETIME = sql`interval '1 day'`;
const MOST_OPEN_UPLOADS = 20;

export const mediaApi = os.router({
  startUpload: os.startUpload.handler(({ input, context, errors }) => {
    const { user } = context.session;
    const { maxMegabytes } = mediaRules[input.purpose];
    if (input.size > maxMegabytes * BYTES_PER_MEGABYTE)
      throw errors.media_too_large({ data: { values: { n: maxMegabytes } } });
    return context.change(async (scope) => {
      const { tx, workspaceId } = scope;
      const own = and(eq(mediaUploads.workspaceId, workspaceId), eq(mediaUploads.userId, user.id));
      const abandoned = await tx
        .delete(mediaUploads)
        .where(
          sql`${mediaUploads.id} IN (SELECT id FROM media_uploads WHERE ${own} ORDER BY id DESC OFFSET ${MOST_OPEN_UPLOADS})
              OR (${mediaUploads.workspaceId} = ${workspaceId} AND ${mediaUploads.createdAt} < now() - ${UPLOAD_LIFETIME})`,
        )
        .returning();
      const id = newId();
      await tx
        .insert(mediaUploads)
        .values({ id, workspaceId, userId: user.id, ...input, createdAt: scope.clock() });
      scope.afterCommit(() => Promise.all(abandoned.map((old) => removeParts(context.mediaStore, old))));
      return { id, size: input.size, received: 0 };
    });
  }),

  getUpload: os.getUpload.handler(({ input, context, errors }) => {
    const { user } = context.session;
    return context.read(async (scope) => {
      const upload = await lockUpload(scope, user.id, input.uploadId);
      if (upload) return { id: upload.id, size: upload.size, received: upload.received };
      const file = await findUploaded(scope, user.id, input.uploadId);
      if (!file) throw errors.upload_not_found();
      return { id: file.id, size: file.size, received: file.size };
    });
  }),

  cancelUpload: os.cancelUpload.handler(({ input, context, errors }) => {
    const { user } = context.session;
    return context.change(async (scope) => {
      const upload = await lockUpload(scope, user.id, input.uploadId);
      if (!upload) throw errors.upload_not_found();
      await scope.tx.delete(mediaUploads).where(eq(mediaUploads.id, upload.id));
      scope.afterCommit(() => removeParts(context.mediaStore, upload));
      return {};
    });
  }),

  list: os.list.handler(({ input, context }) => context.read((scope) => listMedia(scope, input))),

  get: os.get.handler(async ({ input, context, errors }) => {
    const row = await context.read((scope) => findMedia(scope, input.mediaId));
    if (!row) throw errors.media_not_found();
    return presentMedia(row);
  }),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await removeMedia(scope, context.mediaStore, input.mediaId);
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),
});
