import type { Hono } from 'hono';
import { writeDisposition } from '../platform/http-edge/content-disposition.ts';
import { openStored } from '../platform/http-edge/open-stored.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { readSignedId, signId } from '../platform/account/signed-id.ts';
import type { ApiDependencies } from '../platform/request-context.ts';

const USE = 'public media';

/** So long a name is part of an address: platforms take addresses of about 2,000 characters. */
const LONGEST_NAME = 100;

/**
 * Where a platform fetches a file of the library, without a sign-in: the address opens this file alone, for as long as it is in the library. It ends in the
 * name of the file, by which phones may call it.
 */
export function publicMediaLink(
  { secrets, publicUrl }: Pick<ApiDependencies, 'secrets' | 'publicUrl'>,
  { id, name = '' }: { id: string; name?: string },
): string {
  // Dots alone would lead to another address.
  const shown = [...name].slice(-LONGEST_NAME).join('').toWellFormed().replace(/^\.+/, '');
  const end = shown === '' ? '' : `/${encodeURIComponent(shown)}`;
  return `${publicUrl}/media/${signId(secrets, USE, id)}${end}`;
}

type Parts = Pick<ApiDependencies, 'db' | 'secrets' | 'mediaStore'>;
type Row = { name: string; mime_type: string; size: string; sha256: string; storage_key: string };

/** `GET /media/{signed id}`, with any name behind it: the bytes, with the type that they have. A guess is answered without a query. */
export function mountPublicMedia(app: Hono, { db, secrets, mediaStore }: Parts): void {
  app.get('/media/:token/:name?', async (c) => {
    const mediaId = readSignedId(secrets, USE, c.req.param('token'));
    if (mediaId === null) return refuse('address_unknown');
    const { rows } = await db.systemPool.query<Row>(
      'SELECT name, mime_type, size, sha256, storage_key FROM media WHERE id = $1',
      [mediaId],
    );
    const [row] = rows;
    if (!row) return refuse('address_unknown');
    const stored = { key: row.storage_key, size: Number(row.size) };
    const opened = await openStored(c.req.raw, mediaStore, stored);
    if (opened === 'gone') return refuse('address_unknown');
    if ('refusal' in opened) return opened.refusal;
    return new Response(opened.body, {
      status: opened.status,
      headers: {
        'content-type': row.mime_type,
        'content-disposition': writeDisposition('attachment', row.name),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=86400',
        etag: `"${row.sha256}"`,
        ...opened.headers,
      },
    });
  });
}
