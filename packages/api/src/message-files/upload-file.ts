import { newId } from '@app/database/new-id';
import { messageFiles } from '@app/database/message-files/message-files-tables';
import { personOf } from '@app/domain/auth/caller';
import { fileKinds } from '@app/domain/message-files/file-state';
import { judgeUpload, type JudgedUpload } from '@app/domain/message-files/judge-upload';
import { nameFile } from '@app/domain/message-files/name-file';
import { isUuid } from '@app/domain/uuid';
import type { FileRoute } from '../platform/rim/file-routes.ts';
import { refuse } from '../platform/rim/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { inspectFile } from './inspect-file.ts';
import { findFile, type StoredFile } from './message-files-queries.ts';
import { presentFile } from './present-file.ts';

const LARGEST = 100 * 1024 * 1024;
const MOST_UNSENT = 100;

/** A file to send. Its id is the caller's own, so that whoever did not hear the answer asks again for the same. */
export const uploadFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/conversations/files/:fileId',
    access: 'messages:create',
    forKeys: {
      ...{ name: 'messageFiles.upload', tag: 'Message files', gives: ['application/json'] },
      takes: ['application/octet-stream'],
      summary: 'A file to send, under an id of your own: the bytes, as they are',
      query: {
        conversationId: 'Where it will be sent: its channel says what may be.',
        name: 'What people know it by.',
        kind: 'image, video, audio, document or sticker, where its bytes may be more than one.',
      },
    },
    body: { most: LARGEST, isFile: true },
    answer: (request, context, parameter) => receive(request, context, parameter('fileId')),
  },
];

async function receive(request: Request, context: SignedInContext, fileId: string): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const conversationId = query.get('conversationId') ?? '';
  const wished = fileKinds.find((kind) => kind === query.get('kind'));
  if (!isUuid(fileId)) return refuse('message_file_not_found');
  const found = await context.read(async (scope) => ({
    kind: isUuid(conversationId) ? await findChannelKind(scope, conversationId) : null,
    earlier: await findFile(scope, fileId),
  }));
  if (found.kind === null) return refuse('conversation_not_found');
  if (found.earlier) return answerEarlier(context, found.earlier);
  const { media } = context.channelKinds.of({ kind: found.kind }).capabilities;
  const judged = judgeUpload(new Uint8Array(await request.arrayBuffer()), { wished, media });
  if ('code' in judged)
    return judged.code === 'message_file_too_large'
      ? refuse(judged.code, { details: { values: { n: judged.kilobytes } } })
      : refuse(judged.code);
  return keep(context, { fileId, name: query.get('name'), judged });
}

/** The bytes first: a row without its bytes would be a broken file. */
async function keep(
  context: SignedInContext,
  { fileId, name, judged }: { fileId: string; name: string | null; judged: JudgedUpload },
): Promise<Response> {
  const { kind, isAnimated, isVoice } = judged;
  const inspection = await inspectFile(kind, judged.bytes);
  if (inspection.outcome === 'refused') return refuse('message_file_unsupported');
  const { bytes, thumbnail, sha256, width, height, durationMs, waveform } = inspection.file;
  const { mediaStore, caller } = context;
  const key = `${caller.workspaceId}/${newId()}`;
  const keys = thumbnail ? [key, `${key}-small`] : [key];
  await mediaStore.put(key, bytes);
  if (thumbnail) await mediaStore.put(`${key}-small`, thumbnail);
  const kept = await context.change(async (scope) => {
    const { workspaceId } = scope;
    const userId = personOf(scope.caller);
    const at = scope.clock();
    // Who never sends what they upload has room for some.
    await scope.query(
      `DELETE FROM message_files WHERE message_id IS NULL AND id IN (SELECT id FROM message_files
          WHERE workspace_id = $1 AND user_id IS NOT DISTINCT FROM $2 AND message_id IS NULL ORDER BY created_at DESC OFFSET ${MOST_UNSENT})`,
      [workspaceId, userId],
    );
    const [row] = await scope.tx
      .insert(messageFiles)
      .values({
        ...{ id: fileId, workspaceId, userId, kind, mimeType: judged.mimeType, size: bytes.length, sha256 },
        ...{ name: nameFile({ name, kind, mimeType: judged.mimeType, at }), state: 'stored', content: key },
        ...{ thumbnail: thumbnail && `${key}-small`, animated: isAnimated, voice: isVoice },
        ...{ width, height, durationMs, waveform, createdAt: at, storedAt: at },
      })
      .onConflictDoNothing()
      .returning();
    return row ?? { earlier: await findFile(scope, fileId) };
  });
  if (!('earlier' in kept)) return Response.json(presentFile(kept));
  await Promise.all(keys.map((one) => mediaStore.remove(one)));
  return kept.earlier ? answerEarlier(context, kept.earlier) : refuse('message_file_not_found');
}

/** Its twin was quicker, or the answer got lost; under the id of somebody else's file there is nothing. */
function answerEarlier({ caller }: SignedInContext, file: StoredFile): Response {
  if (file.userId !== personOf(caller)) return refuse('message_file_not_found');
  return file.messageId === null ? Response.json(presentFile(file)) : refuse('message_file_used');
}

async function findChannelKind(scope: ReadScope, conversationId: string): Promise<string | null> {
  const { rows } = await scope.query<{ kind: string }>(
    `SELECT ch.kind FROM conversations c JOIN channels ch ON ch.id = c.channel_id WHERE c.workspace_id = $1 AND c.id = $2`,
    [scope.workspaceId, conversationId],
  );
  return rows[0]?.kind ?? null;
}
