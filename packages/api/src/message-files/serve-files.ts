import { identifyFile } from '@app/domain/message-files/identify-file';
import { nameFile } from '@app/domain/message-files/name-file';
import { isUuid } from '@app/domain/uuid';
import { writeDisposition } from '../platform/http-edge/content-disposition.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { openStored } from '../platform/http-edge/open-stored.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findShown, type StoredFile } from './message-files-queries.ts';

/** A player that asks for all from some place on gets so much, and asks for more when it needs it. */
const LONGEST_RANGE = 8 * 1024 * 1024;

/** What a browser may show in its place: each is a picture, a video or a sound by its bytes. All else is for the disk. */
const SHOWN = /^(image\/(jpeg|png|gif|webp)|video\/(mp4|3gpp)|audio\/(ogg|mpeg|mp4|aac|3gpp|amr))$/;

/** The bytes of files of messages, for who may read messages. `?download=1` asks for a file for the disk. */
export const messageFilesFiles: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/api/conversations/files/:fileId',
    access: 'messages:read',
    forKeys: {
      ...{ name: 'messageFiles.download', tag: 'Message files', gives: ['application/octet-stream'] },
      summary: 'A file of a message',
      optionalHeaders: { Range: 'A part of it, as `bytes=0-1023`.' },
    },
    answer: (request, context, parameter) => sendContent(request, context, parameter('fileId')),
  },
  {
    method: 'GET',
    path: '/api/conversations/files/:fileId/thumbnail',
    access: 'messages:read',
    answer: (request, context, parameter) => sendThumbnail(request, context, parameter('fileId')),
  },
];

async function sendContent(request: Request, context: SignedInContext, fileId: string): Promise<Response> {
  const file = await findStored(context, fileId);
  if (!file) return refuse('media_not_found');
  const { content: key, size, sha256, mimeType } = file;
  const etag = `"${sha256}"`;
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers: { etag } });
  const opened = await openStored(request, context.mediaStore, { key, size, longestRange: LONGEST_RANGE });
  if (opened === 'gone') return refuse('media_not_found', { message: 'The bytes of this file are gone.' });
  if ('refusal' in opened) return opened.refusal;
  const isShown = SHOWN.test(mimeType) && new URL(request.url).searchParams.get('download') === null;
  const name = nameFile({ name: file.name, kind: file.kind, mimeType, at: file.createdAt });
  return new Response(opened.body, {
    status: opened.status,
    headers: {
      ...opened.headers,
      ...safeHeaders(isShown || SHOWN.test(mimeType) ? mimeType : 'application/octet-stream'),
      'content-disposition': writeDisposition(isShown ? 'inline' : 'attachment', name),
      etag,
    },
  });
}

async function sendThumbnail(request: Request, context: SignedInContext, fileId: string): Promise<Response> {
  const file = await findStored(context, fileId);
  const bytes = file?.thumbnail ? await context.mediaStore.read(file.thumbnail) : null;
  if (!file || !bytes) return refuse('media_not_found');
  const etag = `"${file.sha256}-small"`;
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers: { etag } });
  // Drawn by us, whatever was sent.
  const { mimeType } = identifyFile(bytes);
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...safeHeaders(mimeType),
      'content-disposition': writeDisposition('inline', 'thumbnail.webp'),
      'content-length': String(bytes.length),
      etag,
    },
  });
}

type Servable = StoredFile & { content: string; size: number; sha256: string; mimeType: string };

async function findStored(context: SignedInContext, fileId: string): Promise<Servable | undefined> {
  const file = isUuid(fileId) ? await context.read((scope) => findShown(scope, fileId)) : undefined;
  return file && isStored(file) ? file : undefined;
}

function isStored(file: StoredFile): file is Servable {
  return (
    file.state === 'stored' &&
    [file.content, file.size, file.sha256, file.mimeType].every((part) => part !== null)
  );
}

/** Whatever it is: no script, no frame, no guess of its type, nothing for other sites, nothing for caches that others share. */
function safeHeaders(mimeType: string): Record<string, string> {
  return {
    'content-type': mimeType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    // Asked for anew after an hour: who lost the right to see it, or was erased, is not shown for longer.
    'cache-control': 'private, max-age=3600',
  };
}
