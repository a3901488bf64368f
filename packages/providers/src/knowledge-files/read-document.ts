import { inflateRawSync } from 'node:zlib';
import type { ReadText } from '@app/domain/chatbot/knowledge/text-reader';

/** What the text of a document may inflate to: beyond that it is no document but a bomb. */
const MOST_BYTES = 64 * 1024 * 1024;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const TEXT_OF_DOCUMENT = 'word/document.xml';

/**
 * The text of a Word document (ECMA-376): one entry of a ZIP archive (PKWARE APPNOTE 4.3), whose text runs are read in their order. Nothing else of the
 * archive is opened, and what is inflated is bounded.
 */
export function readDocument(bytes: Uint8Array): ReadText {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Word keeps encrypted documents in a compound file ([MS-OFFCRYPTO]); so are documents of before 2007, which have another name.
  if (file.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))) return refused('encrypted');
  if (file.subarray(0, 2).toString('latin1') !== 'PK') return refused('wrong_type');
  const entry = findEntry(file, TEXT_OF_DOCUMENT);
  if (entry === null) return refused('wrong_type');
  if (entry === 'encrypted') return refused('encrypted');
  return { outcome: 'read', text: textOfXml(entry.toString('utf8')), title: null };
}

function findEntry(file: Buffer, name: string): Buffer | 'encrypted' | null {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || end + 22 > file.length || file.readUInt32LE(end) !== END) return null;
  let place = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (place + 46 > file.length || file.readUInt32LE(place) !== ENTRY) return null;
    const [nameLength, extra, comment] = [28, 30, 32].map((at) => file.readUInt16LE(place + at)) as [
      number,
      number,
      number,
    ];
    if (file.toString('utf8', place + 46, place + 46 + nameLength) === name) return inflate(file, place);
    place += 46 + nameLength + extra + comment;
  }
  return null;
}

function inflate(file: Buffer, place: number): Buffer | 'encrypted' | null {
  if (file.readUInt16LE(place + 8) & 1) return 'encrypted';
  const method = file.readUInt16LE(place + 10);
  const size = file.readUInt32LE(place + 20);
  const header = file.readUInt32LE(place + 42);
  if (header + 30 > file.length) return null;
  const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
  const packed = file.subarray(start, start + size);
  if (method === 0) return packed;
  return method === 8 ? inflateRawSync(packed, { maxOutputLength: MOST_BYTES }) : null;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOfXml(xml: string): string {
  const pieces: string[] = [];
  for (const [, text, mark] of xml.matchAll(
    /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<(w:tab\/|w:br(?:\s[^>]*)?\/|\/w:p|\/w:tc)>/g,
  )) {
    if (text !== undefined) pieces.push(text);
    else if (mark === '/w:p') pieces.push('\n\n');
    else pieces.push(mark?.startsWith('w:br') ? '\n' : ' ');
  }
  return pieces
    .join('')
    .replace(
      /&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi,
      (whole, name: string) => ENTITIES[name] ?? characterOf(name) ?? whole,
    );
}

function characterOf(name: string): string | null {
  if (!name.startsWith('#')) return null;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

function refused(problem: Extract<ReadText, { outcome: 'refused' }>['problem']): ReadText {
  return { outcome: 'refused', problem };
}
