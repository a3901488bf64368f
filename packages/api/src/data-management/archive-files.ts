import { archiveAccess } from '@app/contracts/data-management/archives-contract';
import { isUuid } from '@app/domain/uuid';
import { BytesGone, readPieces } from '../platform/media-store.ts';
import type { FileRoute } from '../platform/rim/file-routes.ts';
import { readRange } from '../platform/rim/read-range.ts';
import { refuse } from '../platform/rim/refuse.ts';
import { answerFile, nameFile } from '../platform/rim/send-download.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findArchive } from './workspace-archives.ts';

/** A whole workspace leaves by it: whoever asks has proved who they are a moment ago, however long the file has been ready. */
export const archiveFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/data/archives/:archiveId/file',
    access: [...archiveAccess],
    needsProof: true,
    answer: (request, context, parameter) => sendArchive(request, context, parameter('archiveId')),
  },
];

async function sendArchive(request: Request, context: SignedInContext, id: string): Promise<Response> {
  const archive = isUuid(id) ? await context.read((scope) => findArchive(scope, id)) : null;
  if (!archive) return refuse('archive_not_found');
  const { key, bytes, withSecrets, createdAt } = archive;
  const range = readRange(request.headers.get('range'), bytes);
  if (range === 'unsatisfiable')
    return refuse('range_unsatisfiable', { headers: { 'content-range': `bytes */${bytes}` } });
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const pieces = readPieces(context.mediaStore, key, { start, end });
  // The first piece comes before the answer begins, so that bytes that are gone are a refusal.
  const first = await pieces.next().catch((error: unknown) => {
    if (error instanceof BytesGone) return null;
    throw error;
  });
  if (!first) return refuse('archive_not_found', { message: 'The bytes of this archive are gone.' });
  // One byte only asks whether the rest would be handed out; a download that goes on where it broke off is told of again.
  if (end > start || bytes === 1)
    await context.change((scope) =>
      scope.tell({
        type: 'data.archive_downloaded',
        subject: scope.workspaceId,
        values: { withSecrets },
      }),
    );
  const name = nameFile({ subject: 'workspace', at: createdAt, extension: 'archive' });
  const { headers, body } = answerFile(streamPieces(pieces, first.value ?? undefined), {
    ...{ name, type: 'application/octet-stream' },
  });
  headers.set('content-length', String(end - start + 1));
  headers.set('accept-ranges', 'bytes');
  headers.set('cache-control', 'no-store');
  if (range) headers.set('content-range', `bytes ${start}-${end}/${bytes}`);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Cut short where the bytes go meanwhile, so that nobody takes it for whole. */
function streamPieces(
  pieces: AsyncGenerator<Uint8Array>,
  first: Uint8Array | undefined,
): ReadableStream<Uint8Array> {
  let next = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = next ?? (await pieces.next()).value;
      next = undefined;
      if (piece) controller.enqueue(new Uint8Array(piece));
      else controller.close();
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}
