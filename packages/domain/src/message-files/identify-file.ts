import type { MediaKind } from '../messaging/message-content.ts';

/** What a file is by its bytes alone. `shows`: what a browser may show in its place; all else is downloaded. */
export type IdentifiedFile = { mimeType: string; shows: 'image' | 'video' | 'audio' | null };

const DOWNLOAD: IdentifiedFile = { mimeType: 'application/octet-stream', shows: null };
const HEAD = 64;

const OFFICE: readonly [string, string][] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];

/**
 * Tells a file's type from its first bytes; names and what the sender says of it count for nothing. What is not known is a file for the disk, of no
 * type. A page or a drawing with a script is never known: nobody's browser is to open it from here.
 */
export function identifyFile(bytes: Uint8Array): IdentifiedFile {
  const head = textOf(bytes, 0, HEAD);
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return { mimeType: 'image/png', shows: 'image' };
  if (head.startsWith('\u00ff\u00d8\u00ff')) return { mimeType: 'image/jpeg', shows: 'image' };
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a'))
    return { mimeType: 'image/gif', shows: 'image' };
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP')
    return { mimeType: 'image/webp', shows: 'image' };
  if (head.startsWith('OggS')) return { mimeType: 'audio/ogg', shows: 'audio' };
  if (head.startsWith('#!AMR')) return { mimeType: 'audio/amr', shows: null };
  if (head.startsWith('ID3')) return { mimeType: 'audio/mpeg', shows: 'audio' };
  if (head.slice(4, 8) === 'ftyp') return ofBrand(head.slice(8, 12));
  if (head.startsWith('%PDF-')) return { mimeType: 'application/pdf', shows: null };
  if (head.startsWith('PK\u0003\u0004')) return ofArchive(bytes);
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'))
    return { mimeType: 'application/x-ole-storage', shows: null };
  return ofFrames(bytes);
}

/**
 * Whether a file can be what the message says that it is. A document may be anything; a picture, a video or a sound must be one, because it is
 * shown as such.
 */
export function isOfKind(kind: MediaKind, { mimeType, shows }: IdentifiedFile): boolean {
  switch (kind) {
    case 'document':
      return true;
    case 'image':
      return shows === 'image';
    case 'sticker':
      return mimeType === 'image/webp' || mimeType === 'image/png';
    case 'video':
      return shows === 'video';
    // A recording may come as a video without pictures.
    case 'audio':
      return mimeType.startsWith('audio/') || mimeType === 'video/mp4' || mimeType === 'video/3gpp';
  }
}

function ofBrand(brand: string): IdentifiedFile {
  if (/^M4[AB] $/.test(brand)) return { mimeType: 'audio/mp4', shows: 'audio' };
  if (/^3g[a-z0-9]{2}$/.test(brand)) return { mimeType: 'video/3gpp', shows: 'video' };
  if (brand === 'qt  ') return { mimeType: 'video/quicktime', shows: null };
  return /^(isom|iso\d|mp4\d|avc1|M4V |MSNV|dash|mmp4)$/.test(brand)
    ? { mimeType: 'video/mp4', shows: 'video' }
    : DOWNLOAD;
}

/** The names of an archive's parts stand before each of them and once more at its end. */
function ofArchive(bytes: Uint8Array): IdentifiedFile {
  const names = textOf(bytes, 0, 4_096) + textOf(bytes, Math.max(0, bytes.length - 65_536), bytes.length);
  const known = names.includes('[Content_Types].xml') && OFFICE.find(([folder]) => names.includes(folder));
  return { mimeType: known ? known[1] : 'application/zip', shows: null };
}

/** Sound without a name before it: eleven bits of one begin each frame. */
function ofFrames(bytes: Uint8Array): IdentifiedFile {
  const [first = 0, second = 0] = bytes;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return DOWNLOAD;
  if ((second & 0xf6) === 0xf0) return { mimeType: 'audio/aac', shows: 'audio' };
  return (second & 0x06) === 0 ? DOWNLOAD : { mimeType: 'audio/mpeg', shows: 'audio' };
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < Math.min(to, bytes.length); at += 1) text += String.fromCharCode(bytes[at]!); // within the length
  return text;
}
