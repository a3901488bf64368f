import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { textOf } from '../../core/json.ts';
import { numberOf } from '../access.ts';
import { GraphError, unknownNode } from '../errors.ts';
import type { Platform } from '../platform.ts';
import type { Media } from '../store.ts';
import type { GraphEnv } from './graph-env.ts';
import { readParameters, requireProduct } from './parameters.ts';

const MEGABYTE = 1024 * 1024;
const UPLOAD_LIFE_MS = 30 * 24 * 3_600_000;

// oxfmt-ignore
const limits: Record<string, number> = {
  'audio/aac': 16, 'audio/amr': 16, 'audio/mpeg': 16, 'audio/mp4': 16, 'audio/ogg': 16,
  'text/plain': 100, 'application/pdf': 100, 'application/msword': 100, 'application/vnd.ms-excel': 100,
  'application/vnd.ms-powerpoint': 100,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 100,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 100,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 100,
  'image/jpeg': 5, 'image/png': 5, 'image/webp': 0.5, 'video/mp4': 16, 'video/3gpp': 16,
};

export function mediaRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.post('/:id/media', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const form = await readParameters(c);
    requireProduct(form);
    const file = form['file'];
    if (!(file instanceof File))
      throw new GraphError(100, { message: '(#100) The parameter file is required.' });
    // Some callers give the kind (`image`) instead of the type; then the type of the part holds.
    const given = textOf(form['type']) ?? '';
    const mimeType = (given.includes('/') ? given : file.type).toLowerCase();
    const limit = limits[mimeType.split(';')[0]?.trim() ?? ''];
    if (limit === undefined) {
      throw new GraphError(100, {
        message: `(#100) Param file must be a file with one of the supported types. Received file of type '${mimeType}'.`,
      });
    }
    if (file.size > limit * MEGABYTE) {
      throw new GraphError(131053, {
        details: `The file is larger than ${limit} MB, the limit of ${mimeType}`,
      });
    }
    const bytes = Buffer.from(await file.arrayBuffer());
    if (bytes.length === 0) throw new GraphError(131053, { details: 'The file is empty' });
    const now = Date.now();
    const media: Media = {
      id: platform.store.ids.next('media'),
      numberId: number.id,
      mimeType,
      filename: file.name,
      bytes,
      sha256: createHash('sha256').update(bytes).digest(),
      createdAt: now,
      goneAt: now + UPLOAD_LIFE_MS,
    };
    platform.store.addMedia(media);
    return c.json({ id: media.id });
  });

  return app;
}

export function usableMedia(platform: Platform, id: string, numberId: string | undefined): Media {
  const media = platform.store.media.get(id);
  if (!media || (numberId && media.numberId !== numberId)) throw unknownNode(id);
  if (media.goneAt <= Date.now()) throw unknownNode(id);
  return media;
}
