import { constants, crc32, deflateRawSync } from 'node:zlib';
import {
  openSheetXml,
  ROWS_OF_SHEET,
  SHEET_END,
  workbookParts,
  writeRowXml,
  type WrittenCell,
} from '@app/domain/contact-imports/workbook/write-sheet';

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Entry = { name: string; crc: number; size: number; packed: number; offset: number };

/** How far a workbook is written: all that the next piece needs to know, wherever it is written. */
export type WorkbookPlace = {
  headings: readonly string[];
  /** Files of the archive that are whole. */
  entries: readonly Entry[];
  /** The sheet that is being written, and how many rows it has. */
  sheet: Entry;
  rows: number;
  bytes: number;
};

export type WorkbookPiece = { bytes: Uint8Array; place: WorkbookPlace };

/**
 * An Excel file (ECMA-376) that is written piece by piece and never held: each piece is deflated by itself up to a byte's border (RFC 1951), so that
 * one follows the other in the archive whichever process writes it. Behind each file of it stands how large it became (PKWARE APPNOTE 4.3.9).
 */
export function beginWorkbook(headings: readonly string[]): WorkbookPiece {
  const begun = beginSheet({ headings, entries: [], bytes: 0 });
  return add(begun, openSheetXml(headings));
}

/** Rows that no sheet has room for stand in the next one. */
export function addRows(place: WorkbookPlace, rows: readonly (readonly WrittenCell[])[]): WorkbookPiece {
  const room = ROWS_OF_SHEET - place.rows;
  const written = add({ bytes: NOTHING, place }, rows.slice(0, room).map(writeRowXml).join(''));
  const piece = withRows(written, Math.min(rows.length, room));
  if (rows.length <= room) return piece;
  const ended = endSheet(piece);
  const next = add(beginSheet(ended.place), openSheetXml(place.headings));
  const rest = addRows(next.place, rows.slice(room));
  return { place: rest.place, bytes: Buffer.concat([ended.bytes, next.bytes, rest.bytes]) };
}

/** What stands behind the last row. */
export function endWorkbook(place: WorkbookPlace): Uint8Array {
  const ended = endSheet({ bytes: NOTHING, place });
  const pieces: Uint8Array[] = [ended.bytes];
  let { entries, bytes } = ended.place;
  for (const { name, text } of workbookParts(entries.length)) {
    const begun = beginEntry(name, bytes);
    const whole = endEntry(addText({ bytes: begun.bytes, entry: begun.entry }, text));
    pieces.push(whole.bytes);
    entries = [...entries, whole.entry];
    bytes += whole.bytes.length;
  }
  pieces.push(writeDirectory(entries, bytes));
  return Buffer.concat(pieces);
}

const NOTHING = new Uint8Array();

type Begun = Pick<WorkbookPlace, 'headings' | 'entries' | 'bytes'>;

function beginSheet({ headings, entries, bytes }: Begun): WorkbookPiece {
  const begun = beginEntry(`xl/worksheets/sheet${entries.length + 1}.xml`, bytes);
  const place = { headings, entries, sheet: begun.entry, rows: 1, bytes: bytes + begun.bytes.length };
  return { bytes: begun.bytes, place };
}

function add({ bytes, place }: WorkbookPiece, text: string): WorkbookPiece {
  const added = addText({ bytes: NOTHING, entry: place.sheet }, text);
  return {
    bytes: Buffer.concat([bytes, added.bytes]),
    place: { ...place, sheet: added.entry, bytes: place.bytes + added.bytes.length },
  };
}

function withRows({ bytes, place }: WorkbookPiece, rows: number): WorkbookPiece {
  return { bytes, place: { ...place, rows: place.rows + rows } };
}

function endSheet(piece: WorkbookPiece): WorkbookPiece {
  const { bytes, place } = add(piece, SHEET_END);
  const ended = endEntry({ bytes: NOTHING, entry: place.sheet });
  return {
    bytes: Buffer.concat([bytes, ended.bytes]),
    place: {
      ...place,
      entries: [...place.entries, ended.entry],
      bytes: place.bytes + ended.bytes.length,
    },
  };
}

type EntryPiece = { bytes: Uint8Array; entry: Entry };

const [LOCAL, DESCRIPTOR, ENTRY, END] = [0x04034b50, 0x08074b50, 0x02014b50, 0x06054b50];
/** Deflated, and its sizes stand behind it. */
const [VERSION, FLAGS, DEFLATED] = [20, 8, 8];
/** The first of January 1980: the archive says nothing of when it was written. */
const DAY = 0x21;
const MOST_BYTES = 0xffffffff;

function beginEntry(name: string, offset: number): EntryPiece {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DAY, 12);
  header.writeUInt16LE(name.length, 26);
  const entry = { name, crc: 0, size: 0, packed: 0, offset };
  return { bytes: Buffer.concat([header, Buffer.from(name, 'latin1')]), entry };
}

function addText({ bytes, entry }: EntryPiece, text: string): EntryPiece {
  const plain = Buffer.from(text, 'utf8');
  if (plain.length === 0) return { bytes, entry };
  const deflated = deflateRawSync(plain, { finishFlush: constants.Z_FULL_FLUSH });
  return {
    bytes: Buffer.concat([bytes, deflated]),
    entry: {
      ...entry,
      crc: crc32(plain, entry.crc),
      size: entry.size + plain.length,
      packed: entry.packed + deflated.length,
    },
  };
}

function endEntry({ bytes, entry }: EntryPiece): EntryPiece {
  const last = deflateRawSync(NOTHING);
  const whole = { ...entry, packed: entry.packed + last.length };
  if (whole.size > MOST_BYTES || whole.offset + whole.packed > MOST_BYTES)
    throw new RangeError('A workbook cannot hold more than four gigabytes');
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(DESCRIPTOR, 0);
  descriptor.writeUInt32LE(whole.crc, 4);
  descriptor.writeUInt32LE(whole.packed, 8);
  descriptor.writeUInt32LE(whole.size, 12);
  return { bytes: Buffer.concat([bytes, last, descriptor]), entry: whole };
}

function writeDirectory(entries: readonly Entry[], from: number): Uint8Array {
  const lines = entries.map(({ name, crc, size, packed, offset }) => {
    const line = Buffer.alloc(46);
    line.writeUInt32LE(ENTRY, 0);
    line.writeUInt16LE(VERSION, 4);
    line.writeUInt16LE(VERSION, 6);
    line.writeUInt16LE(FLAGS, 8);
    line.writeUInt16LE(DEFLATED, 10);
    line.writeUInt16LE(DAY, 14);
    line.writeUInt32LE(crc, 16);
    line.writeUInt32LE(packed, 20);
    line.writeUInt32LE(size, 24);
    line.writeUInt16LE(name.length, 28);
    line.writeUInt32LE(offset, 42);
    return Buffer.concat([line, Buffer.from(name, 'latin1')]);
  });
  const directory = Buffer.concat(lines);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(from, 16);
  return Buffer.concat([directory, end]);
}
