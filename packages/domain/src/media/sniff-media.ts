import { isMediaMimeType, mediaMimeTypes, type MediaMimeType } from './media.ts';

export type SniffedMedia =
  { outcome: 'known'; mimeType: MediaMimeType } | { outcome: 'unknown' } | { outcome: 'too_many_pixels' };

/** A picture of 50 megapixels unpacks to 200 MB in a browser or a phone. */
const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 20_000;

/**
 * Tells a file's type from its bytes alone and follows its structure to the end. A file that is two things at once, is
 * cut off, or carries a page with a script is unknown.
 */
export function sniffMedia(bytes: Uint8Array): SniffedMedia {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    return judgeImage(bytes, 'image/png', readPng(bytes, view));
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return judgeImage(bytes, 'image/jpeg', readJpeg(bytes, view));
  if (hasText(bytes, '%PDF-', 0, 1)) return isPdf(bytes) ? known('application/pdf') : unknown;
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return isWordZip(bytes, view) ? known(DOCX) : unknown;
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))
    return isOldWord(bytes) ? known('application/msword') : unknown;
  if (hasText(bytes, 'ftyp', 4, 5)) return judgeVideo(bytes, view);
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

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const unknown: SniffedMedia = { outcome: 'unknown' };
const known = (mimeType: string): SniffedMedia =>
  isMediaMimeType(mimeType) ? { outcome: 'known', mimeType } : unknown;

type Picture = { width: number; height: number; end: number };

function judgeImage(bytes: Uint8Array, mimeType: MediaMimeType, picture: Picture | null): SniffedMedia {
  if (!picture || picture.width === 0 || picture.height === 0) return unknown;
  if (bytes.length !== picture.end && carriesForeignFile(bytes, picture.end)) return unknown;
  if (carriesPage(bytes)) return unknown;
  const { width, height } = picture;
  if (width * height > MOST_PIXELS || width > LONGEST_SIDE || height > LONGEST_SIDE)
    return { outcome: 'too_many_pixels' };
  return known(mimeType);
}

/** Chunks: length, type, data, checksum. */
function readPng(bytes: Uint8Array, view: DataView): Picture | null {
  let width = 0;
  let height = 0;
  for (let at = 8; at + 12 <= bytes.length;) {
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

/** Segments up to the first scan, then entropy-coded data in which every 0xff is followed by 0 or a restart mark. */
function readJpeg(bytes: Uint8Array, view: DataView): Picture | null {
  let size: { width: number; height: number } | null = null;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
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
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    const isData = next === 0x00 || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== 0xff) return at;
  }
  return bytes.length;
}

/** Boxes: length, type, content, one after the other to the very end. */
function judgeVideo(bytes: Uint8Array, view: DataView): SniffedMedia {
  const brand = textAt(bytes, 8, 4);
  let hasMovie = false;
  let at = 0;
  while (at + 8 <= bytes.length) {
    const type = textAt(bytes, at + 4, 4);
    const short = view.getUint32(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) return unknown;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short;
    if (length < 8 || !/^[\w \u00a9-]{4}$/.test(type)) return unknown;
    hasMovie ||= type === 'moov';
    at += length;
  }
  if (at !== bytes.length || !hasMovie || carriesPage(bytes)) return unknown;
  if (/^3g[ps2]/.test(brand)) return known('video/3gpp');
  return /^(isom|iso\d|mp4\d|avc1|M4V |MSNV|dash|mmp4)/.test(brand) ? known('video/mp4') : unknown;
}

function isPdf(bytes: Uint8Array): boolean {
  const tail = bytes.length - 1024;
  return hasText(bytes, '%%EOF', Math.max(0, tail), bytes.length) && !carriesPage(bytes.subarray(0, 1024));
}

/** A Word file is an archive that ends where its directory says, holds a document and no macros. */
function isWordZip(bytes: Uint8Array, view: DataView): boolean {
  const smallestEnd = 22;
  for (let at = bytes.length - smallestEnd; at >= Math.max(0, bytes.length - smallestEnd - 65_535); at -= 1) {
    if (view.getUint32(at) !== 0x504b0506) continue;
    const isLast = at + smallestEnd + view.getUint16(at + 20, true) === bytes.length;
    const directory = bytes.subarray(view.getUint32(at + 16, true), at);
    return (
      isLast &&
      contains(directory, '[Content_Types].xml') &&
      contains(directory, 'word/document.xml') &&
      !contains(directory, 'vbaProject.bin')
    );
  }
  return false;
}

function isOldWord(bytes: Uint8Array): boolean {
  return (
    contains(bytes, [...'WordDocument'].join('\u0000')) &&
    !contains(bytes, [...'_VBA_PROJECT'].join('\u0000'))
  );
}

/** Phones put further pictures behind a JPEG; archives, documents and pages have no business there. */
function carriesForeignFile(bytes: Uint8Array, from: number): boolean {
  const rest = bytes.subarray(from);
  return ['PK\u0003\u0004', '%PDF-', '<?php', '<!DOCTYPE', '<svg', 'ftyp'].some((start) =>
    contains(rest, start),
  );
}

function carriesPage(bytes: Uint8Array): boolean {
  const text = decodeLatin(bytes);
  return /<script[\s>/]|<html[\s>]|<!doctype html|<iframe[\s>]|<\?php\s/i.test(text);
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

function contains(bytes: Uint8Array, text: string): boolean {
  return decodeLatin(bytes).includes(text);
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** One character for each byte, in pieces that fit on the stack. */
function decodeLatin(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) pieces.push(textAt(bytes, at, 8192));
  return pieces.join('');
}
