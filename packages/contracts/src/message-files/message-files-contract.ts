import { fileKinds, fileStates } from '@app/domain/message-files/file-state';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

/** A file of a message. Its bytes are at `/api/conversations/files/{fileId}`, a small picture of it at `…/thumbnail`. */
export const messageFile = z.object({
  id,
  kind: z.enum(fileKinds),
  /** What its bytes are; before they are here what the sender says. */
  mimeType: z.string().nullable(),
  name: z.string().nullable(),
  size: z.number().nullable(),
  /** `expired` and `failed`: the platform did not give it; `too_large` and `refused`: it was not taken. */
  state: z.enum(fileStates),
  width: z.number().nullable(),
  height: z.number().nullable(),
  durationMs: z.number().nullable(),
  /** How loud a voice message is over its length, 0 to 100, where its bytes tell. */
  waveform: z.array(z.number()).nullable(),
  voice: z.boolean(),
  animated: z.boolean(),
  hasThumbnail: z.boolean(),
});

export const messageFilesContract = {
  fetchAgain: endpoint({
    method: 'POST',
    path: '/conversations/files/{fileId}/fetch',
    access: 'messages:update',
    repeat: { harmless: 'A file that waits is fetched once, and one that is here is not fetched again.' },
    summary: 'Has a file fetched from the platform once more that did not come',
    input: z.object({ fileId: id }),
    output: messageFile,
    errors: ['media_not_found'],
  }),
};
