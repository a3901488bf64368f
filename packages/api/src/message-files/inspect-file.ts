import { createHash } from 'node:crypto';
import type { MediaKind } from '@app/domain/messaging/message-content';
import { identifyFile, isOfKind } from '@app/domain/message-files/identify-file';
import { measureSound } from '@app/domain/message-files/measure-sound';
import { sniffMedia } from '@app/domain/media/sniff-media';
import { withPicture } from '../platform/pictures/picture-codec.ts';

/** Longest side of what lists and the chat show before somebody opens the picture. */
const THUMBNAIL_SIDE = 480;

export type InspectedFile = {
  /** What is kept: the bytes as they came, or a picture that was drawn anew. */
  bytes: Uint8Array;
  sha256: string;
  mimeType: string;
  thumbnail: Uint8Array | null;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  waveform: number[] | null;
};
export type Inspection =
  | { outcome: 'kept'; file: InspectedFile }
  | { outcome: 'refused'; code: 'not_what_it_says' | 'picture_unreadable' };

/**
 * Looks at what somebody sent by its bytes alone. A picture that is unpacked shows that it is one, and gets a small one beside it; where its file
 * holds something besides, such as a page behind the pixels, it is drawn anew.
 */
export async function inspectFile(kind: MediaKind, bytes: Uint8Array): Promise<Inspection> {
  const { mimeType, shows } = identifyFile(bytes);
  if (!isOfKind(kind, { mimeType, shows })) return { outcome: 'refused', code: 'not_what_it_says' };
  const nothing = { thumbnail: null, width: null, height: null, durationMs: null, waveform: null };
  if (shows !== 'image') {
    const measured = kind === 'document' ? nothing : measureSound(bytes, mimeType);
    const isSound = kind === 'audio' && mimeType.startsWith('video/');
    const kept = {
      bytes,
      sha256: digest(bytes),
      mimeType: isSound ? mimeType.replace('video', 'audio') : mimeType,
    };
    return { outcome: 'kept', file: { ...nothing, ...measured, ...kept } };
  }
  const drawn = await withPicture(bytes, async ({ picture, width, height }) => {
    const thumbnail = await picture
      .clone()
      .autoOrient()
      .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer();
    const isPlain = !isChecked(mimeType) || (await isClean(bytes));
    const turned = picture.clone().autoOrient();
    const redrawn = mimeType === 'image/png' ? turned.png() : turned.jpeg({ quality: 88 });
    const anew = isPlain ? null : await redrawn.toBuffer();
    return { thumbnail, width, height, anew };
  });
  // A document may be a broken picture: it is downloaded, and shown to nobody here.
  if (!drawn)
    return kind === 'document'
      ? {
          outcome: 'kept',
          file: { ...nothing, bytes, sha256: digest(bytes), mimeType: 'application/octet-stream' },
        }
      : { outcome: 'refused', code: 'picture_unreadable' };
  const { anew, ...about } = drawn;
  const kept = anew ?? bytes;
  return {
    outcome: 'kept',
    file: {
      ...{ bytes: kept, sha256: digest(kept), mimeType },
      ...{ ...about, durationMs: null, waveform: null },
    },
  };
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Of these kinds the whole structure is known. */
function isChecked(mimeType: string): boolean {
  return mimeType === 'image/jpeg' || mimeType === 'image/png';
}

/** A large file takes long to look through; everybody else is answered between two steps. */
async function isClean(bytes: Uint8Array): Promise<boolean> {
  const steps = sniffMedia(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.outcome === 'known';
    await new Promise((resolve) => setImmediate(resolve));
  }
}
