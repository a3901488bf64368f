import { mediaPurposes, mediaTypes } from '@app/domain/media/media';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

export const media = z.object({
  id,
  name: z.string(),
  type: z.enum(mediaTypes),
  mimeType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Address of the content below the origin; for people of the workspace only. */
  url: z.string(),
  uploadedAt: instant,
});

export const upload = z.object({
  id,
  size: z.number(),
  /** Bytes that are stored; the next part begins here. */
  received: z.number(),
});

const oneUpload = z.object({ uploadId: id });
const oneMedia = z.object({ mediaId: id });

/**
 * A file travels in three steps: `startUpload`; its bytes in parts of at most 4 MB to `PATCH /api/uploads/{uploadId}` with
 * the header `upload-offset`, where each answer tells how many are stored and the last one brings the `media`; then use.
 */
export const mediaContract = {
  startUpload: endpoint({
    method: 'POST',
    path: '/uploads',
    access: 'messages:create',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Begins an upload of a known size',
    input: z.strictObject({
      name: z.string().trim().min(1).max(255),
      size: z.number().int().positive(),
      purpose: z.enum(mediaPurposes),
    }),
    output: upload,
    errors: ['media_too_large', 'media_type_unsupported'],
  }),
  getUpload: endpoint({
    method: 'GET',
    path: '/uploads/{uploadId}',
    access: 'messages:create',
    forKeys: true,
    summary: 'How far an upload has come',
    input: oneUpload,
    output: upload,
    errors: ['upload_not_found'],
  }),
  cancelUpload: endpoint({
    method: 'DELETE',
    path: '/uploads/{uploadId}',
    access: 'messages:create',
    forKeys: true,
    repeat: { harmless: 'An upload that was given up stays so.' },
    summary: 'Gives an upload up and forgets its bytes',
    input: oneUpload,
    output: z.object({}),
    errors: ['upload_not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/media',
    access: 'templates:read',
    forKeys: true,
    summary: 'Files of the workspace, newest first',
    input: pageInput.extend({ type: z.enum(mediaTypes).optional() }),
    output: page(media),
  }),
  get: endpoint({
    method: 'GET',
    path: '/media/{mediaId}',
    access: 'templates:read',
    forKeys: true,
    summary: 'One file; its content is at `url`',
    input: oneMedia,
    output: media,
    errors: ['media_not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/media/{mediaId}',
    access: 'templates:delete',
    repeat: 'keyed',
    summary: 'Deletes a file that no template and no quick reply shows',
    input: oneMedia,
    output: z.object({}),
    errors: ['media_not_found', 'media_in_use'],
  }),
};
