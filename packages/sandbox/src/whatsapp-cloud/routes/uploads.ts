import { randomBytes } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { textOf } from '../../core/json.ts';
import { GraphError, unknownNode } from '../errors.ts';
import type { Platform } from '../platform.ts';
import type { Upload } from '../store.ts';
import type { GraphEnv } from './graph-env.ts';
import { readParameters } from './parameters.ts';

const allowedTypes = new Set(['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']);
const LARGEST = 100 * 1024 * 1024;

/** Resumable upload: what template samples and profile pictures are handed over with. */
export function uploadRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  app.post('/:id/uploads', async (c) => {
    const graphApp = c.get('graphApp');
    if (c.req.param('id') !== graphApp.id) throw unknownNode(c.req.param('id'));
    const query = await readParameters(c);
    const length = Number(query['file_length']);
    const fileType = textOf(query['file_type']) ?? '';
    if (!(length > 0 && length <= LARGEST))
      throw new GraphError(100, { message: '(#100) The parameter file_length is required.' });
    if (!allowedTypes.has(fileType))
      throw new GraphError(100, { message: `(#100) The file_type ${fileType} is not supported` });
    const upload: Upload = {
      id: `upload:MTph${randomBytes(15).toString('base64url')}`,
      appId: graphApp.id,
      fileName: textOf(query['file_name']) ?? 'file',
      fileType,
      length,
      received: [],
      offset: 0,
    };
    platform.store.uploads.set(upload.id, upload);
    return c.json({ id: upload.id });
  });
  return app;
}

export function uploadOf(platform: Platform, id: string): Upload {
  const upload = platform.store.uploads.get(id);
  if (!upload) throw unknownNode(id);
  return upload;
}

/** `POST /upload:…`: takes bytes from `file_offset` on and gives the handle once all are there. */
export async function receiveUpload(
  platform: Platform,
  c: Context<GraphEnv>,
  upload: Upload,
): Promise<Response> {
  const offset = Number(c.req.header('file_offset') ?? 0);
  if (offset !== upload.offset)
    throw new GraphError(100, { details: `file_offset must be ${upload.offset}` });
  const bytes = Buffer.from(await c.req.arrayBuffer());
  if (upload.offset + bytes.length > upload.length)
    throw new GraphError(100, { details: 'More bytes than file_length' });
  upload.received.push(bytes);
  upload.offset += bytes.length;
  if (upload.offset < upload.length) return c.json({ id: upload.id, file_offset: upload.offset });
  const parts = [upload.fileName, upload.fileType].map((part) => Buffer.from(part).toString('base64'));
  const handle = `4::${parts.join(':')}:${randomBytes(24).toString('base64url')}`;
  platform.store.handles.set(handle, {
    mimeType: upload.fileType,
    fileName: upload.fileName,
    bytes: Buffer.concat(upload.received),
  });
  platform.store.uploads.delete(upload.id);
  return c.json({ h: handle });
}
