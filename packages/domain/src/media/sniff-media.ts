import { searchFor } from './find-bytes.ts';
import { isMediaMimeType, mediaMimeTypes, type MediaMimeType } from './media.ts';

export type SniffedMedia =
  | { outcome: 'known'; mimeType: MediaMimeType }
  | { outcome: 'unknown' }
  | { outcome: 'too_many_pixels' };

/** A picture of 50 megapixels unpacks to 200 MB in a browser or a phone. */
const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 20_000;
/** Real files have a few hundred parts; one of empty parts alone would take long to follow. */
const MOST_PARTS = 20_000;

/**
 * Tells a file's type from its bytes alone and follows its structure to the end. A file that is two things at once, is
 * cut off, or carries a page with a script is unknown. Pauses now and then, so that others come in between.
 */
export function* sniffMedia(bytes: Uint8Array): Generator<undefined, SniffedMedia> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    return yield* validateImage(bytes, 'image/png', readPng(bytes, view));
  if (startsWith(bytes, [0xff, 0xd8, 0xff]))
    return yield* validateImage(bytes, 'image/jpeg', readJpeg(bytes, view));
  if (hasText(bytes, 'GIF87a', 0, 1) || hasText(bytes, 'GIF89a', 0, 1))
    return yield* validateImage(bytes, 'image/gif', readGif(bytes, view));
  if (startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3]))
    return isWebm(bytes) && !(yield* pages.findIn(bytes)) ? known('video/webm') : unknown;
  if (hasText(bytes, '%PDF-', 0, 1)) return (yield* isPdf(bytes)) ? known('application/pdf') : unknown;
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]))
    return (yield* isWordZip(bytes, view)) ? known(DOCX) : unknown;
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))
    return (yield* isOldWord(bytes)) ? known('application/msword') : unknown;
  if (hasText(bytes, 'ftyp', 4, 5)) return yield* validateVideo(bytes, view);
  return unknown;
}

/**
 * The name under which a file of this type may be kept: as it is when its ending fits, with an ending when it has none.
 * Null when the ending claims another type.
 */
export function nameMedia(name: string, mimeType: MediaMimeType): string | null {
  const plain = name.replace(/[\p{Cc}/\\]+/gu, '_').trim() || 'file';
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(plain)?.[1]?.toLowerCase();
  const fitting: readonly string[] = mediaMimeTypes[mimeType].extensions;
  if (ending === undefined) return `${plain}.${fitting[0]}`;
  return fitting.includes(ending) ? plain : null;
}

/** Ends of a tag's name, in a page that a browser would take for one. */
const TAG_ENDS = ['\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '>'];
const tags = (name: string, ends = TAG_ENDS) => ends.map((end) => `<${name}${end}`);
const spread = (word: string) => [...word].join('\u0000');

const pages = searchFor(
  [
    ...tags('script', [...TAG_ENDS, '/']),
    ...tags('html'),
    ...tags('iframe'),
    ...tags('?php', TAG_ENDS.slice(0, -1)),
    '<!doctype html',
  ],
  { anyCase: true },
);
const foreignFiles = searchFor(['PK\u0003\u0004', '%PDF-', '<?php', '<!DOCTYPE', '<svg', 'ftyp']);
const contentTypes = searchFor(['[Content_Types].xml']);
const wordDocument = searchFor(['word/document.xml']);
const macros = searchFor(['vbaProject.bin']);
const oldWordDocument = searchFor([spread('WordDocument')]);
const oldMacros = searchFor([spread('_VBA_PROJECT')]);

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const unknown: SniffedMedia = { outcome: 'unknown' };
const known = (mimeType: string): SniffedMedia =>
  isMediaMimeType(mimeType) ? { outcome: 'known', mimeType } : unknown;

type Picture = { width: number; height: number; end: number };

function* validateImage(
  bytes: Uint8Array,
  mimeType: MediaMimeType,
  picture: Picture | null,
): Generator<undefined, SniffedMedia> {
  if (!picture || picture.width === 0 || picture.height === 0) return unknown;
  // Phones put further pictures behind a JPEG; archives, documents and pages have no business there.
  if (yield* foreignFiles.findIn(bytes.subarray(picture.end))) return unknown;
  if (yield* pages.findIn(bytes)) return unknown;
  const { width, height } = picture;
  if (width * height > MOST_PIXELS || width > LONGEST_SIDE || height > LONGEST_SIDE)
    return { outcome: 'too_many_pixels' };
  return known(mimeType);
}

/** Chunks: length, type, data, checksum. */
function readPng(bytes: Uint8Array, view: DataView): Picture | null {
  let width = 0;
  let height = 0;
  let at = 8;
  for (let parts = 0; at + 12 <= bytes.length && parts < MOST_PARTS; parts += 1) {
    const length = view.getUint32(at);
    const type = textAt(bytes, at + 4, 4);
    if (at === 8) {
      if (type !== 'IHDR' || length !== 13 || bytes.length < 33) return null;
      width = view.getUint32(at + 8);
      height = view.getUint32(at + 12);
    }
    at += 12 + length;
    if (type === 'IEND') return at <= bytes.length ? { width, height, end: at } : null;
  }
  return null;
}

/** Blocks up to the trailer: extensions, and pictures with a table of colours; the data of each comes in parts with their length. */
function readGif(bytes: Uint8Array, view: DataView): Picture | null {
  if (bytes.length < 14) return null;
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const tableOf = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + tableOf(bytes[10] ?? 0);
  let hasPicture = false;
  for (let parts = 0; at < bytes.length && parts < MOST_PARTS; parts += 1) {
    const kind = bytes[at];
    if (kind === 0x3b) return hasPicture ? { ...size, end: at + 1 } : null;
    if (kind === 0x2c) at += 11 + tableOf(bytes[at + 9] ?? 0);
    else if (kind === 0x21) at += 2;
    else return null;
    hasPicture ||= kind === 0x2c;
    // Parts of 255 bytes at most, up to an empty one.
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined) return null;
      at += 1 + length;
    }
    at += 1;
  }
  return null;
}

const EBML_TYPE = 0x4282;
const SEGMENT = [0x18, 0x53, 0x80, 0x67];

/** A head that names WebM, then one segment to the very end; a segment that was streamed does not say its length. */
function isWebm(bytes: Uint8Array): boolean {
  const head = readLength(bytes, 4);
  if (!head || head.length === null) return false;
  const end = head.next + head.length;
  let isNamed = false;
  for (let at = head.next; at + 3 <= end;) {
    // All elements of a head have ids of two bytes, but for those of the void and the checksum.
    const id = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    const content = readLength(bytes, at + 2);
    if (!content || content.length === null) return false;
    if (id === EBML_TYPE) isNamed = textAt(bytes, content.next, content.length) === 'webm';
    at = content.next + content.length;
  }
  if (!isNamed || !SEGMENT.every((byte, n) => bytes[end + n] === byte)) return false;
  const segment = readLength(bytes, end + 4);
  if (!segment || segment.next >= bytes.length) return false;
  return segment.length === null || segment.next + segment.length === bytes.length;
}

/** A length of one to eight bytes: zeros before its first bit say how many; null for one that is not said. */
function readLength(bytes: Uint8Array, at: number): { length: number | null; next: number } | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const count = Math.clz32(first) - 23;
  if (at + count > bytes.length) return null;
  let length = first & (2 ** (8 - count) - 1);
  let isAllOnes = length === 2 ** (8 - count) - 1;
  for (let n = 1; n < count; n += 1) {
    const byte = bytes[at + n] ?? 0;
    isAllOnes &&= byte === 0xff;
    length = length * 256 + byte;
  }
  return { length: isAllOnes ? null : length, next: at + count };
}

/** Segments up to the first scan, then entropy-coded data in which every 0xff is followed by 0 or a restart mark. */
function readJpeg(bytes: Uint8Array, view: DataView): Picture | null {
  let size: { width: number; height: number } | null = null;
  let at = 2;
  for (let parts = 0; at + 4 <= bytes.length && parts < MOST_PARTS; parts += 1) {
    if (bytes[at] !== 0xff) return null;
    while (bytes[at + 1] === 0xff) at += 1; // filling
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9 || at + 4 > bytes.length) break;
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame && at + 9 <= bytes.length)
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + length;
    if (marker === 0xda) at = skipScan(bytes, at);
  }
  return size && bytes[at] === 0xff && bytes[at + 1] === 0xd9 ? { ...size, end: at + 2 } : null;
}

function skipScan(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1];
    const isData = next === 0x00 || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== 0xff) return at;
  }
  return bytes.length;
}

/** Boxes: length, type, content, one after the other to the very end. */
function* validateVideo(bytes: Uint8Array, view: DataView): Generator<undefined, SniffedMedia> {
  const brand = textAt(bytes, 8, 4);
  let hasMovie = false;
  let at = 0;
  for (let parts = 0; at + 8 <= bytes.length && parts < MOST_PARTS; parts += 1) {
    const type = textAt(bytes, at + 4, 4);
    const short = view.getUint32(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) return unknown;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short;
    if (length < 8 || !/^[\w \u00a9-]{4}$/.test(type)) return unknown;
    hasMovie ||= type === 'moov';
    at += length;
  }
  if (at !== bytes.length || !hasMovie || (yield* pages.findIn(bytes))) return unknown;
  if (/^3g[ps2]/.test(brand)) return known('video/3gpp');
  return /^(isom|iso\d|mp4\d|avc1|M4V |MSNV|dash|mmp4)/.test(brand) ? known('video/mp4') : unknown;
}

function* isPdf(bytes: Uint8Array): Generator<undefined, boolean> {
  const tail = bytes.length - 1024;
  const isWhole = hasText(bytes, '%%EOF', Math.max(0, tail), bytes.length);
  return isWhole && !(yield* pages.findIn(bytes.subarray(0, 1024)));
}

/** A Word file is an archive that ends where its directory says, holds a document and no macros. */
function* isWordZip(bytes: Uint8Array, view: DataView): Generator<undefined, boolean> {
  const smallestEnd = 22;
  for (let at = bytes.length - smallestEnd; at >= Math.max(0, bytes.length - smallestEnd - 65_535); at -= 1) {
    if (view.getUint32(at) !== 0x504b0506) continue;
    const isLast = at + smallestEnd + view.getUint16(at + 20, true) === bytes.length;
    const directory = bytes.subarray(view.getUint32(at + 16, true), at);
    return (
      isLast &&
      (yield* contentTypes.findIn(directory)) &&
      (yield* wordDocument.findIn(directory)) &&
      !(yield* macros.findIn(directory))
    );
  }
  return false;
}

function* isOldWord(bytes: Uint8Array): Generator<undefined, boolean> {
  return (yield* oldWordDocument.findIn(bytes)) && !(yield* oldMacros.findIn(bytes));
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function hasText(bytes: Uint8Array, text: string, from: number, before: number): boolean {
  for (let at = from; at < before && at + text.length <= bytes.length; at += 1) {
    if (textAt(bytes, at, text.length) === text) return true;
  }
  return false;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
