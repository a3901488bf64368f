import { newId } from '@app/database/new-id';
import { messageFiles } from '@app/database/message-files/message-files-tables';
import { personOf } from '@app/domain/auth/caller';
import { fileKinds } from '@app/domain/message-files/file-state';
import { fileOf } from '@app/domain/message-files/file-bytes';
import {
  foreseeUpload,
  validateUpload,
  largestFile,
  TELLING_BYTES,
  tooLarge,
  type ValidatedUpload,
  type UploadError,
} from '@app/domain/message-files/validate-upload';
import { nameFile } from '@app/domain/message-files/name-file';
import { isUuid } from '@app/domain/uuid';
import type { MediaDraft } from '../platform/media-store.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { createLargeBodies, type LargeBodies } from '../platform/http-edge/large-bodies.ts';
import { openBody } from '../platform/http-edge/read-body.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { createTurns, type Turns } from '../platform/http-edge/turns.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { digest, inspectFile, type InspectedFile } from './inspect-file.ts';
import { findFile, type StoredFile } from './message-files-queries.ts';
import { IN_DRAFT } from './tidy-files.ts';
import { presentFile } from './present-file.ts';

const MOST_UNSENT = 100;
/**
 * Files that arrive lie on the disk, so that many may come at once. One comes at 24 kB/s from a slow telephone; when all places are taken and
 * somebody waits, the slowest gives way.
 */
const ARRIVING = {
  atOnce: 40,
  mostWaiting: 200,
  ofOne: { atOnce: 24, mostWaiting: 40 },
  longestWaitMs: 60_000,
  pace: { bytesPerSecond: 24 * 1024, patienceMs: 15_000 },
  paceOfSlowest: { bytesPerSecond: 256 * 1024, patienceMs: 2_000 },
};
/** Recordings and sounds are looked at as a whole, and held until they are stored where they are written anew: so many at a time. */
const LOOKED_AT = { atOnce: 2, mostWaiting: Infinity };

type Parts = { inPlace: LargeBodies; looks: Turns };

/** A file to send. Its id is the caller's own, so that whoever did not hear the answer asks again for the same. */
export function uploadFiles(): FileRoute[] {
  const parts: Parts = { inPlace: createLargeBodies(ARRIVING), looks: createTurns(LOOKED_AT) };
  return [
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
      body: { most: 'streamed', isFile: true },
      answer: (request, context, parameter) => receive(parts, request, context, parameter('fileId')),
    },
  ];
}

async function receive(
  { inPlace, looks }: Parts,
  request: Request,
  context: SignedInContext,
  fileId: string,
): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const conversationId = query.get('conversationId') ?? '';
  const wished = fileKinds.find((kind) => kind === query.get('kind'));
  if (!isUuid(fileId)) return refuse('message_file_not_found');
  const found = await context.read(async (scope) => ({
    kind: isUuid(conversationId) ? await findChannelKind(scope, conversationId) : null,
    earlier: await findFile(scope, fileId),
  }));
  if (found.kind === null) return refuse('conversation_not_found');
  const { earlier } = found;
  const { media } = context.channelKinds.of({ kind: found.kind }).capabilities;
  const { caller, mediaStore, session } = context;
  let draft: MediaDraft | undefined;
  // Of what is here already nothing is kept; whoever sends it hears an answer at the end alone.
  const body = openBody(request, async (piece) => draft?.append(piece));
  const most = largestFile(media);
  if (body.declared !== null && body.declared > most) return refuseUpload(tooLarge(most));
  return inPlace(
    body,
    { key: 'files', sharer: `${caller.workspaceId} ${session.user.id}` },
    async (readUpTo) => {
      if (earlier)
        return (await readUpTo(most)) ? answerEarlier(context, earlier) : refuseUpload(tooLarge(most));
      draft = await mediaStore.begin();
      try {
        await readUpTo(TELLING_BYTES - 1);
        const foreseen = foreseeUpload(await draft.read(0, TELLING_BYTES), { wished, media });
        if ('code' in foreseen) return refuseUpload(foreseen);
        const isDeclaredTooLarge = body.declared !== null && body.declared > foreseen.most;
        if (isDeclaredTooLarge || !(await readUpTo(foreseen.most)))
          return refuseUpload(tooLarge(foreseen.most));
        const giveBack = await looks.take('');
        try {
          const looked = await lookAt(draft, { wished, media });
          if ('code' in looked) return refuseUpload(looked);
          // A bucket may take minutes for what lies on the disk.
          if (looked.made === null) giveBack();
          return await keep(context, draft, { fileId, name: query.get('name'), looked });
        } finally {
          giveBack();
        }
      } finally {
        await draft.discard();
      }
    },
  );
}

function refuseUpload(refusal: UploadError): Response {
  return refuse(
    refusal.code,
    'kilobytes' in refusal ? { details: { values: { n: refusal.kilobytes } } } : {},
  );
}

/** `made`: what is kept in place of the bytes that came. */
type Looked = { judged: ValidatedUpload; about: InspectedFile; made: Uint8Array | null };

async function lookAt(
  draft: MediaDraft,
  wanted: Parameters<typeof validateUpload>[1],
): Promise<Looked | UploadError> {
  const came = { size: draft.size(), read: draft.read };
  const judged = await validateUpload(came, wanted);
  if ('code' in judged) return judged;
  const inspection = await inspectFile(judged.kind, judged.rewritten ? fileOf(judged.rewritten) : came);
  if (inspection.outcome === 'refused') return { code: 'message_file_unsupported' };
  const about = inspection.file;
  return { judged, about, made: about.redrawn ?? judged.rewritten };
}

/** The bytes first: a row without its bytes would be a broken file. */
async function keep(
  context: SignedInContext,
  draft: MediaDraft,
  { fileId, name, looked }: { fileId: string; name: string | null; looked: Looked },
): Promise<Response> {
  const { judged, about, made } = looked;
  const { kind, mimeType, isAnimated, isVoice } = judged;
  const { thumbnail, width, height, durationMs, waveform } = about;
  const { mediaStore, caller } = context;
  const key = `${caller.workspaceId}/${newId()}`;
  const keys = thumbnail ? [key, `${key}-small`] : [key];
  const size = made?.length ?? draft.size();
  const sha256 = made ? digest(made) : draft.sha256();
  const removeBytes = () => Promise.all(keys.map((one) => mediaStore.remove(one)));
  try {
    await (made ? mediaStore.put(key, made) : draft.keepAs(key));
    if (thumbnail) await mediaStore.put(`${key}-small`, thumbnail);
  } catch (error) {
    await removeBytes();
    throw error;
  }
  const kept = await context.change(async (scope) => {
    const { workspaceId } = scope;
    const userId = personOf(scope.caller);
    const at = scope.clock();
    // Who never sends what they upload has room for some.
    await scope.query(
      `DELETE FROM message_files WHERE message_id IS NULL AND id IN (SELECT f.id FROM message_files f
          WHERE f.workspace_id = $1 AND f.user_id IS NOT DISTINCT FROM $2 AND f.message_id IS NULL AND NOT ${IN_DRAFT}
          ORDER BY f.created_at DESC OFFSET ${MOST_UNSENT})`,
      [workspaceId, userId],
    );
    const [row] = await scope.tx
      .insert(messageFiles)
      .values({
        ...{ id: fileId, workspaceId, userId, kind, mimeType, size, sha256 },
        ...{ name: nameFile({ name, kind, mimeType, at }), state: 'stored', content: key },
        ...{ thumbnail: thumbnail && `${key}-small`, animated: isAnimated, voice: isVoice },
        ...{ width, height, durationMs, waveform, createdAt: at, storedAt: at },
      })
      .onConflictDoNothing()
      .returning();
    return row ?? { earlier: await findFile(scope, fileId) };
  });
  if (!('earlier' in kept)) return Response.json(presentFile(kept));
  await removeBytes();
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
