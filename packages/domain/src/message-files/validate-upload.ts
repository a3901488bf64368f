import type { ChannelCapabilities, MediaRule } from '../channels/channel-capabilities.ts';
import { searchFor } from '../media/find-bytes.ts';
import type { MediaKind } from '../messaging/message-content.ts';
import { readEnds, readInPieces, readMovieBox, type FileBytes } from './file-bytes.ts';
import { identifyFile } from './identify-file.ts';
import { isWebm, webmToOgg } from './webm-to-ogg.ts';

export type ValidatedUpload = {
  kind: MediaKind;
  mimeType: string;
  /** A recording of a browser as it leaves, written anew; null for what leaves as it came. */
  rewritten: Uint8Array<ArrayBuffer> | null;
  /** Of a sound: it can be shown as a voice note. */
  isVoice: boolean;
  isAnimated: boolean;
};

/** `kilobytes` is the limit that it goes beyond. */
export type UploadError =
  | { code: 'message_file_unsupported' }
  | { code: 'message_file_too_large'; kilobytes: number };

type Wanted = { wished?: MediaKind | undefined; media: ChannelCapabilities['media'] };

const unsupported: UploadError = { code: 'message_file_unsupported' };
const KILOBYTE = 1_024;
const ORDER = ['image', 'video', 'audio', 'sticker', 'document'] as const;
/** So much of a file says what it may be. */
export const TELLING_BYTES = 4_096;

/**
 * What the beginning of a file says of the whole: how large it may become, or that it is nothing that the channel takes. Whoever sends a
 * picture as large as a video hears so at once.
 */
export function foreseeUpload(head: Uint8Array, { wished, media }: Wanted): UploadError | { most: number } {
  const kinds = kindsOf(typesOf(head), { wished, media });
  if (kinds.length === 0) return unsupported;
  return { most: Math.max(...kinds.map((kind) => limitOf(media[kind]!, true))) }; // it takes it
}

export function tooLarge(most: number): UploadError {
  return { code: 'message_file_too_large', kilobytes: Math.floor(most / KILOBYTE) };
}

/**
 * What a file is for a channel, by its bytes alone: its kind, and whether the channel takes it. `wished` chooses where the channel takes it as more
 * than one kind.
 */
export async function validateUpload(
  file: FileBytes,
  { wished, media }: Wanted,
): Promise<ValidatedUpload | UploadError> {
  const ends = await readEnds(file);
  const foreseen = foreseeUpload(ends, { wished, media });
  if (file.size === 0) return unsupported;
  if ('code' in foreseen) return foreseen;
  if (file.size > foreseen.most) return tooLarge(foreseen.most);
  const isRecording = isWebm(ends);
  const rewritten = isRecording ? webmToOgg(await file.read(0, file.size)) : null;
  if (isRecording && !rewritten) return unsupported;
  const mimeType = rewritten ? 'audio/ogg' : await typeOf(file, ends);
  const [kind] = mimeType === null ? [] : kindsOf([mimeType], { wished, media });
  if (mimeType === null || !kind) return unsupported;
  const isAnimated = mimeType === 'image/webp' && isMoving(ends);
  const most = limitOf(media[kind]!, isAnimated); // it takes it
  if ((rewritten?.length ?? file.size) > most) return tooLarge(most);
  return { kind, mimeType, rewritten, isVoice: mimeType === 'audio/ogg', isAnimated };
}

/** The most bytes that a channel takes of any file. */
export function largestFile(media: ChannelCapabilities['media']): number {
  return Math.max(0, ...Object.values(media).map((rule) => limitOf(rule, true)));
}

function limitOf({ maxBytes, maxAnimatedBytes = maxBytes }: MediaRule, isAnimated: boolean): number {
  return isAnimated ? maxAnimatedBytes : maxBytes;
}

/** The kinds as which the channel takes one of the types; the wished one alone where it is among them. */
function kindsOf(types: readonly string[], { wished, media }: Wanted): MediaKind[] {
  const takes = (kind: MediaKind) => types.some((type) => media[kind]?.mimeTypes.includes(type) === true);
  return wished && takes(wished) ? [wished] : ORDER.filter(takes);
}

/** What a file can be that begins so. */
function typesOf(head: Uint8Array): string[] {
  if (isWebm(head)) return ['audio/ogg'];
  const { mimeType } = identifyFile(head);
  switch (mimeType) {
    case 'audio/ogg':
      return hasText(head.subarray(0, 64), 'OpusHead') ? [mimeType] : [];
    case 'video/mp4':
    case 'audio/mp4':
      return ['video/mp4', 'audio/mp4'];
    case 'application/zip':
      return [mimeType, ...OFFICE_TYPES];
    case 'application/x-ole-storage':
      return OLD_OFFICE.map(([, type]) => type);
    case 'application/octet-stream':
      return readText()(head.subarray(0, TELLING_BYTES)) ? ['text/plain'] : [];
    default:
      return [mimeType];
  }
}

/** Null for what no platform takes for what it seems to be. */
async function typeOf(file: FileBytes, ends: Uint8Array): Promise<string | null> {
  const { mimeType } = identifyFile(ends);
  switch (mimeType) {
    case 'video/mp4':
    case 'audio/mp4':
      return typeOfMovie(await readMovieBox(file));
    case 'application/x-ole-storage':
      return typeOfOldOffice(file);
    case 'application/octet-stream':
      return (await isPlainText(file)) ? 'text/plain' : null;
    default:
      return mimeType;
  }
}

/** A recording without pictures is a sound; one of another codec than AAC is none that phones play. */
function typeOfMovie(movie: Uint8Array): string | null {
  if (hasText(movie, 'vide')) return 'video/mp4';
  return hasText(movie, 'mp4a') ? 'audio/mp4' : null;
}

/** Names of its parts stand in two bytes for each letter. */
async function typeOfOldOffice(file: FileBytes): Promise<string | null> {
  for (const [part, type] of OLD_OFFICE) {
    const isIn = searchFor([[...part].join('\0')]).begin();
    for await (const piece of readInPieces(file)) if (isIn(piece)) return type;
  }
  return null;
}

async function isPlainText(file: FileBytes): Promise<boolean> {
  const read = readText();
  for await (const piece of readInPieces(file)) if (!read(piece)) return false;
  return read(null);
}

/**
 * Reads letters in UTF-8, without signs that steer, and says whether all so far were such. A letter may go on in the next piece; null
 * says that there is none.
 */
function readText(): (piece: Uint8Array | null) => boolean {
  let following = 0;
  return (piece) => {
    if (piece === null) return following === 0;
    for (const byte of piece) {
      if (following > 0) {
        if ((byte & 0xc0) !== 0x80) return false;
        following -= 1;
      } else if (byte < 0x80) {
        if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) return false;
      } else {
        if (byte < 0xc2 || byte > 0xf4) return false;
        following = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      }
    }
    return true;
  };
}

const OFFICE_TYPES = ['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
  (type) => `application/vnd.openxmlformats-officedocument.${type}`,
);
const OLD_OFFICE: readonly [string, string][] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];

/** https://developers.google.com/speed/webp/docs/riff_container: the second bit of the flags of `VP8X`. */
function isMoving(bytes: Uint8Array): boolean {
  return hasText(bytes.subarray(12, 16), 'VP8X') && ((bytes[20] ?? 0) & 0x02) !== 0;
}

function hasText(bytes: Uint8Array, text: string): boolean {
  return searchFor([text]).begin()(bytes);
}
