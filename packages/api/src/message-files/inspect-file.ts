import { createHash } from 'node:crypto';
import type { MediaKind } from '@app/domain/messaging/message-content';
import { readEnds, readMovieBox, type FileBytes } from '@app/domain/message-files/file-bytes';
import { identifyFile, isOfKind } from '@app/domain/message-files/identify-file';
import { measureSound } from '@app/domain/message-files/measure-sound';
import { sniffMedia } from '@app/domain/media/sniff-media';
import { withPicture, type OpenedPicture } from '../platform/pictures/picture-codec.ts';

/** Longest side of what lists and the chat show before somebody opens the picture. */
const THUMBNAIL_SIDE = 480;

/** No telephone makes larger ones. A document that claims to be such a picture is one for the disk. */
const LARGEST_PICTURE = 25 * 1024 * 1024;
/** No platform takes larger ones; of one that arrives all the same it is not said how long it is. */
const LARGEST_SOUND = 16 * 1024 * 1024;

export type InspectedFile = {
  /** What is kept in place of the bytes that came: a picture that was drawn anew. */
  redrawn: Uint8Array | null;
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
 * holds something besides, such as a page behind the pixels, it is drawn anew. Of all else only what tells about it is read.
 */
export async function inspectFile(kind: MediaKind, file: FileBytes): Promise<Inspection> {
  const { mimeType, shows } = identifyFile(await readEnds(file));
  if (!isOfKind(kind, { mimeType, shows })) return { outcome: 'refused', code: 'not_what_it_says' };
  const nothing = { redrawn: null, thumbnail: null, width: null, height: null };
  const silent = { durationMs: null, waveform: null };
  if (shows !== 'image') {
    const measured =
      kind === 'document' ? silent : measureSound(await readMeasured(file, mimeType), mimeType);
    const isSound = kind === 'audio' && mimeType.startsWith('video/');
    const type = isSound ? mimeType.replace('video', 'audio') : mimeType;
    return { outcome: 'kept', file: { ...nothing, ...measured, mimeType: type } };
  }
  const drawn = file.size > LARGEST_PICTURE ? null : await renderPicture(file, mimeType);
  if (drawn) return { outcome: 'kept', file: { ...drawn, ...silent, mimeType } };
  // A document may be a broken picture: it is downloaded, and shown to nobody here.
  return kind === 'document'
    ? { outcome: 'kept', file: { ...nothing, ...silent, mimeType: 'application/octet-stream' } }
    : { outcome: 'refused', code: 'picture_unreadable' };
}

/** A picture as the small one of a file; null for what is none. */
export function renderThumbnail(bytes: Uint8Array): Promise<Uint8Array | null> {
  return withPicture(
    () => bytes,
    ({ picture }) => shrink(picture),
  );
}

function renderPicture(file: FileBytes, mimeType: string) {
  return withPicture(
    () => file.read(0, file.size),
    async ({ bytes, picture, width, height }) => {
      const thumbnail = await shrink(picture);
      const isPlain = !isChecked(mimeType) || (await isClean(bytes));
      const turned = picture.clone().autoOrient();
      const anew = mimeType === 'image/png' ? turned.png() : turned.jpeg({ quality: 88 });
      return { thumbnail, width, height, redrawn: isPlain ? null : await anew.toBuffer() };
    },
  );
}

function shrink(picture: OpenedPicture['picture']): Promise<Uint8Array> {
  return picture
    .clone()
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
}

/** What tells how long it lasts: of a video its description, of a sound all of it. */
async function readMeasured(file: FileBytes, mimeType: string): Promise<Uint8Array> {
  if (/mp4|3gpp/.test(mimeType)) return readMovieBox(file);
  return file.size > LARGEST_SOUND ? new Uint8Array(0) : file.read(0, file.size);
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
