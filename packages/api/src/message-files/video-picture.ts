import { messageFiles } from '@app/database/message-files/message-files-tables';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import { isUuid } from '@app/domain/uuid';
import { and, eq, isNull } from 'drizzle-orm';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { renderThumbnail } from './inspect-file.ts';
import { findFile } from './message-files-queries.ts';

/** A picture of the size that is shown has less, however it is packed. */
const LARGEST = 1024 * 1024;

/**
 * The first picture of a video that the caller uploaded, as their browser drew it: no codec of videos is here. It is drawn anew, and the first one that
 * comes stays.
 */
export const videoPictureFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/conversations/files/:fileId/thumbnail',
    access: 'messages:create',
    body: { most: LARGEST, isFile: true },
    answer: (request, context, parameter) => receive(request, context, parameter('fileId')),
  },
];

async function receive(request: Request, context: SignedInContext, fileId: string): Promise<Response> {
  const { caller, mediaStore } = context;
  const file = isUuid(fileId) ? await context.read((scope) => findFile(scope, fileId)) : undefined;
  if (!file || file.userId !== personOf(caller) || file.kind !== 'video' || file.state !== 'stored')
    return refuse('message_file_not_found');
  if (file.thumbnail !== null) return Response.json({});
  const drawn = await renderThumbnail(new Uint8Array(await request.arrayBuffer()));
  if (!drawn) return refuse('message_file_unsupported');
  const thumbnail = `${caller.workspaceId}/${newId()}-small`;
  await mediaStore.put(thumbnail, drawn);
  const isKept = await context.change(async (scope) => {
    const rows = await scope.tx
      .update(messageFiles)
      .set({ thumbnail })
      .where(
        and(
          ...[eq(messageFiles.workspaceId, scope.workspaceId), eq(messageFiles.id, fileId)],
          isNull(messageFiles.thumbnail),
        ),
      )
      .returning({ messageId: messageFiles.messageId, contactId: messageFiles.contactId });
    const [kept] = rows;
    // It was sent meanwhile, and is shown without it.
    if (kept?.messageId)
      await scope.emit({
        ...{ type: 'message_files.settled', subject: kept.messageId },
        values: {
          messageIds: [kept.messageId],
          contactIds: kept.contactId === null ? [] : [kept.contactId],
        },
      });
    return kept !== undefined;
  });
  if (!isKept) await mediaStore.remove(thumbnail);
  return Response.json({});
}
