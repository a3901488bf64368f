import type { Permission } from '@app/domain/auth/permissions';
import type { Hono } from 'hono';
import { describeCaller } from '../platform/caller.ts';
import { refuseCaller } from '../platform/refuse-caller.ts';
import { refuse } from '../platform/refuse.ts';
import type { ApiDependencies, Session } from '../platform/request-context.ts';
import { findMedia, presentMedia, type StoredMedia } from './media-queries.ts';
import { receivePart } from './receive-upload.ts';

type MediaRoutes = Pick<ApiDependencies, 'db' | 'clock' | 'mediaStore' | 'liveEvents'> & {
  readSession(request: Request): Promise<Session | null>;
  readIpAddress(request: Request, environment: unknown): string | null;
};

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The two addresses that carry bytes instead of JSON: parts of an upload, and the content of a file. */
export function mountMedia(app: Hono, dependencies: MediaRoutes): void {
  const { db, mediaStore, liveEvents, readSession, readIpAddress } = dependencies;

  app.patch('/api/uploads/:uploadId', async (c) => {
    const access = await checkAccess(readSession, c.req.raw, 'messages:create');
    if ('refusal' in access) return access.refusal;
    const { session } = access;
    const offset = Number(c.req.header('upload-offset') ?? Number.NaN);
    const uploadId = c.req.param('uploadId');
    if (!Number.isSafeInteger(offset) || offset < 0)
      return refuse('invalid_input', { message: 'The header upload-offset must be a whole number.' });
    if (!ID.test(uploadId)) return refuse('upload_not_found');
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const { user, workspaceId } = session;
    const actor = {
      ...{
        workspaceId,
        userId: user.id,
        userName: `${user.firstName} ${user.lastName}`.trim() || user.email,
      },
      ...describeCaller(c.req.raw, readIpAddress(c.req.raw, c.env)),
    };
    const part = await receivePart(dependencies, { actor, uploadId, offset, bytes });
    switch (part.outcome) {
      case 'upload_not_found':
        return refuse(part.outcome);
      case 'upload_offset_wrong':
        return refuse(part.outcome, { details: { received: part.received } });
      case 'media_type_unsupported':
        return refuse(part.outcome);
      case 'received':
        return c.json({ received: part.received, media: null });
      case 'complete':
        await liveEvents.publish(workspaceId, 'activities');
        return c.json({ received: part.media.size, media: presentMedia(part.media) });
    }
  });

  app.get('/api/media/:mediaId/content', async (c) => {
    const access = await checkAccess(readSession, c.req.raw, 'templates:read');
    if ('refusal' in access) return access.refusal;
    const { workspaceId } = access.session;
    const mediaId = c.req.param('mediaId');
    const row = ID.test(mediaId)
      ? await db.inWorkspace(workspaceId, (tx) => findMedia(tx, workspaceId, mediaId))
      : undefined;
    if (!row) return refuse('media_not_found');
    const range = readRange(c.req.header('range'), row.size);
    if (range === 'unsatisfiable')
      return new Response(null, { status: 416, headers: { 'content-range': `bytes */${row.size}` } });
    const bytes = await mediaStore.read(row.storageKey, range ?? undefined);
    if (!bytes) return refuse('media_not_found', { message: 'The bytes of this file are gone.' });
    return new Response(new Uint8Array(bytes), {
      status: range ? 206 : 200,
      headers: {
        ...safeHeaders(row),
        'content-length': String(bytes.length),
        ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${row.size}` }),
      },
    });
  });
}

/** Never shown as a page of ours: always a download, of the type that its bytes have, without any right. */
function safeHeaders({ name, mimeType, sha256 }: StoredMedia): Record<string, string> {
  return {
    'content-type': mimeType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, encodeByte)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: `"${sha256}"`,
  };
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

async function checkAccess(
  readSession: MediaRoutes['readSession'],
  request: Request,
  permission: Permission,
): Promise<{ session: Session } | { refusal: Response }> {
  const session = await readSession(request);
  if (!session) return { refusal: refuse('signed_out') };
  const refusal = refuseCaller(session, permission);
  return refusal ? { refusal } : { session };
}

/** A video player asks for pieces; anything but one plain range is answered with the whole file. */
function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  const isSuffix = found[1] === '';
  const start = isSuffix ? Math.max(0, size - Number(found[2])) : Number(found[1]);
  const end = isSuffix || found[2] === '' ? size - 1 : Math.min(size - 1, Number(found[2]));
  return start <= end && start < size ? { start, end } : 'unsatisfiable';
}
