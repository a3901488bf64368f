import type { ChannelCapabilities, MediaRule } from '../channels/channel-capabilities.ts';
import { searchFor } from '../media/find-bytes.ts';
import type { MediaKind } from '../messaging/message-content.ts';
import { identifyFile } from './identify-file.ts';
import { isWebm, webmToOgg } from './webm-to-ogg.ts';

export type JudgedUpload = {
  kind: MediaKind;
  mimeType: string;
  /** As they leave: of a browser's recording they are written anew. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Of a sound: it can be shown as a voice note. */
  isVoice: boolean;
  isAnimated: boolean;
};

/** `kilobytes` is the limit that it goes beyond. */
export type UploadRefusal =
  { code: 'message_file_unsupported' } | { code: 'message_file_too_large'; kilobytes: number };

const unsupported: UploadRefusal = { code: 'message_file_unsupported' };
const KILOBYTE = 1_024;
const ORDER = ['image', 'video', 'audio', 'sticker', 'document'] as const;

/**
 * What a file is for a channel, by its bytes alone: its kind, and whether the channel takes it. `wished` chooses where the channel takes it as more
 * than one kind.
 */
export function judgeUpload(
  bytes: Uint8Array<ArrayBuffer>,
  { wished, media }: { wished?: MediaKind | undefined; media: ChannelCapabilities['media'] },
): JudgedUpload | UploadRefusal {
  const written = isWebm(bytes) ? webmToOgg(bytes) : bytes;
  if (!written || written.length === 0) return unsupported;
  const mimeType = typeOf(written);
  const takes = (kind: MediaKind) => mimeType !== null && media[kind]?.mimeTypes.includes(mimeType) === true;
  const kind = wished && takes(wished) ? wished : ORDER.find(takes);
  if (mimeType === null || !kind) return unsupported;
  const isAnimated = mimeType === 'image/webp' && isMoving(written);
  const most = limitOf(media[kind]!, isAnimated); // it takes it
  if (written.length > most)
    return { code: 'message_file_too_large', kilobytes: Math.floor(most / KILOBYTE) };
  return { kind, mimeType, bytes: written, isVoice: mimeType === 'audio/ogg', isAnimated };
}

/** The most bytes that a channel takes of any file. */
export function largestFile(media: ChannelCapabilities['media']): number {
  return Math.max(0, ...Object.values(media).map((rule) => limitOf(rule, true)));
}

function limitOf({ maxBytes, maxAnimatedBytes = maxBytes }: MediaRule, isAnimated: boolean): number {
  return isAnimated ? maxAnimatedBytes : maxBytes;
}

/** Null for what no platform takes for what it seems to be. */
function typeOf(bytes: Uint8Array): string | null {
  const { mimeType } = identifyFile(bytes);
  switch (mimeType) {
    case 'audio/ogg':
      return hasText(bytes.subarray(0, 64), 'OpusHead') ? mimeType : null;
    case 'video/mp4':
    case 'audio/mp4':
      return typeOfMovie(bytes);
    case 'application/x-ole-storage':
      return typeOfOldOffice(bytes);
    case 'application/octet-stream':
      return isPlainText(bytes) ? 'text/plain' : null;
    default:
      return mimeType;
  }
}

/** A recording without pictures is a sound; one of another codec than AAC is none that phones play. */
function typeOfMovie(bytes: Uint8Array): string | null {
  if (hasText(bytes, 'vide')) return 'video/mp4';
  return hasText(bytes, 'mp4a') ? 'audio/mp4' : null;
}

const OLD_OFFICE: readonly [string, string][] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];

/** Names of its parts stand in two bytes for each letter. */
function typeOfOldOffice(bytes: Uint8Array): string | null {
  return OLD_OFFICE.find(([part]) => hasText(bytes, [...part].join('\0')))?.[1] ?? null;
}

/** Letters in UTF-8, without signs that steer. */
function isPlainText(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at]!; // within the length
    if (first < 0x20 && first !== 0x09 && first !== 0x0a && first !== 0x0c && first !== 0x0d) return false;
    const following = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) return false;
    for (let place = 1; place <= following; place += 1)
      if (((bytes[at + place] ?? 0) & 0xc0) !== 0x80) return false;
    at += following + 1;
  }
  return true;
}

/** https://developers.google.com/speed/webp/docs/riff_container: the second bit of the flags of `VP8X`. */
function isMoving(bytes: Uint8Array): boolean {
  return hasText(bytes.subarray(12, 16), 'VP8X') && ((bytes[20] ?? 0) & 0x02) !== 0;
}

function hasText(bytes: Uint8Array, text: string): boolean {
  const steps = searchFor([text]).findIn(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
