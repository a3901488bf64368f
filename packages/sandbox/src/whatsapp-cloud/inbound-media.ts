import { createHash } from 'node:crypto';
import { textOf, type JsonObject } from '../core/json.ts';
import { addressOf } from './nodes/media-node.ts';
import type { Platform } from './platform.ts';
import { readSample, sampleFiles } from './sample-files.ts';
import type { BusinessNumber, Media } from './store.ts';

/** Ids that came in a webhook live seven days. */
const INBOUND_LIFE_MS = 7 * 24 * 3_600_000;

/** Keeps the file and gives the content of its message; undefined for a sample that is not there. */
export function storeInboundMedia(
  platform: Platform,
  number: BusinessNumber,
  input: JsonObject,
): JsonObject | undefined {
  const wanted = textOf(input['sample']);
  const sample = wanted === undefined ? undefined : sampleFiles[wanted];
  if (wanted !== undefined && !sample) return undefined;
  const mimeType = sample?.mimeType ?? textOf(input['mimeType']) ?? 'image/png';
  const bytes = sample ? readSample(sample.file) : Buffer.from(textOf(input['data']) ?? SAMPLE_PNG, 'base64');
  const now = Date.now();
  const media: Media = {
    id: platform.store.ids.next('media'),
    numberId: number.id,
    mimeType,
    filename: textOf(input['filename']) ?? sample?.file ?? 'file',
    bytes,
    sha256: createHash('sha256').update(bytes).digest(),
    createdAt: now,
    goneAt: now + INBOUND_LIFE_MS,
  };
  platform.store.addMedia(media);
  const type = textOf(input['type']) ?? typeOfMedia(mimeType);
  const hasAddress = platform.origin !== null && platform.behaviour.webhookVersion >= 24;
  return {
    type,
    [type]: {
      id: media.id,
      mime_type: mimeType,
      // base64 here, hex in the answer of GET /{media-id}: so does the platform
      sha256: media.sha256.toString('base64'),
      ...(hasAddress ? { url: addressOf(platform.origin ?? '', media) } : {}),
      ...(textOf(input['caption']) ? { caption: input['caption'] } : {}),
      ...(type === 'document' ? { filename: media.filename } : {}),
      ...(type === 'audio' ? { voice: input['voice'] === true || wanted === 'voice' } : {}),
      ...(type === 'sticker' ? { animated: input['animated'] === true } : {}),
    },
  };
}

function typeOfMedia(mimeType: string): string {
  const kind = mimeType.split('/')[0] ?? '';
  if (mimeType === 'image/webp') return 'sticker';
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document';
}

const SAMPLE_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';
