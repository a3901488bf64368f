import type { messageFile } from '@app/contracts/message-files/message-files-contract';
import type { z } from 'zod';
import type { StoredFile } from './message-files-queries.ts';

/** A file as messages show it. */
export function presentFile(file: StoredFile): z.infer<typeof messageFile> {
  const { id, kind, mimeType, name, size, state, width, height, durationMs, waveform, voice, animated } =
    file;
  return {
    ...{ id, kind, mimeType, name, size, state, width, height, durationMs, waveform, voice, animated },
    hasThumbnail: state === 'stored' && file.thumbnail !== null,
  };
}
