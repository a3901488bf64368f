import { writeDisposition } from '../platform/http-edge/content-disposition.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { openStored } from '../platform/http-edge/open-stored.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findMedia, presentMedia, type StoredMedia } from './media-queries.ts';
import { receivePart } from './receive-upload.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LARGEST_PART = 4 * 1024 * 1024;

/** The two addresses that carry bytes instead of JSON: parts of an upload, and the content of a file. */
export const mediaFiles: readonly FileRoute[] = [
  {
    method: 'PATCH',
    path: '/api/uploads/:uploadId',
    access: 'messages:create',
    forKeys: {
      ...{
        name: 'media.sendPart',
        tag: 'Media',
        takes: ['application/octet-stream'],
        gives: ['application/json'],
      },
      summary: 'The next part of an upload, 4 MB at most',
      headers: { 'Upload-Offset': 'How many bytes are there already.' },
    },
    body: { most: LARGEST_PART, isFile: true },
    answer: (request, context, parameter) => receiveUpload(request, context, parameter('uploadId')),
  },
  {
    method: 'GET',
    path: '/api/media/:mediaId/content',
    access: 'templates:read',
    forKeys: {
      ...{ name: 'media.download', tag: 'Media', gives: ['application/octet-stream'] },
      summary: 'The content of a file',
    },
    answer: (request, context, parameter) => readContent(request, context, parameter('mediaId')),
  },
];

async function receiveUpload(
  request: Request,
  context: SignedInContext,
  uploadId: string,
): Promise<Response> {
  const offset = Number(request.headers.get('upload-offset') ?? Number.NaN);
  if (!Number.isSafeInteger(offset) || offset < 0)
    return refuse('invalid_input', { message: 'The header upload-offset must be a whole number.' });
  if (!ID.test(uploadId)) return refuse('upload_not_found');
  const bytes = new Uint8Array(await request.arrayBuffer());
  const { user } = context.session;
  const part = await receivePart(context, { userId: user.id, uploadId, offset, bytes });
  switch (part.outcome) {
    case 'upload_not_found':
      return refuse(part.outcome);
    case 'upload_offset_wrong':
      return refuse(part.outcome, { details: { received: part.received } });
    case 'media_type_unsupported':
      return refuse(part.outcome);
    case 'received':
      return Response.json({ received: part.received, media: null });
    case 'complete':
      return Response.json({ received: part.media.size, media: presentMedia(part.media) });
  }
}

async function readContent(request: Request, context: SignedInContext, mediaId: string): Promise<Response> {
  const row = ID.test(mediaId) ? await context.read((scope) => findMedia(scope, mediaId)) : undefined;
  if (!row) return refuse('media_not_found');
  const opened = await openStored(request, context.mediaStore, { key: row.storageKey, size: row.size });
  if (opened === 'gone') return refuse('media_not_found', { message: 'The bytes of this file are gone.' });
  if ('refusal' in opened) return opened.refusal;
  return new Response(opened.body, {
    status: opened.status,
    headers: { ...safeHeaders(row), ...opened.headers },
  });
}

/** Never shown as a page of ours: always a download, of the type that its bytes have, without any right. */
function safeHeaders({ name, mimeType, sha256 }: StoredMedia): Record<string, string> {
  return {
    'content-type': mimeType,
    'content-disposition': writeDisposition('attachment', name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=31536000, immutable',
    etag: `"${sha256}"`,
  };
}
