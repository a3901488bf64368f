/** One file of an archive, as its directory says. */
export type ZipEntry = {
  name: string;
  isDeflated: boolean;
  compressedSize: number;
  size: number;
  /** Of its local header. */
  offset: number;
};

/** No archive that could be a workbook, or one that says what cannot be. */
export class ZipUnreadable extends Error {}

const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_BYTES, ENTRY_BYTES] = [22, 46];
export const LOCAL_BYTES = 30;
/** The end of the directory may have a comment behind it. */
export const TAIL_BYTES = END_BYTES + 65_535;
const MOST_ENTRIES = 10_000;
const MOST_DIRECTORY_BYTES = 4 * 2 ** 20;
/** More than this deflate cannot do. */
const MOST_RATIO = 1_100;

/** Where the directory of an archive stands (PKWARE APPNOTE 4.3.16). `tail` is its last `TAIL_BYTES`, or all of it. */
export function findDirectory(tail: Uint8Array): { from: number; bytes: number } {
  const view = viewOf(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== END) continue;
    const [entries, bytes, from] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ];
    if (entries > MOST_ENTRIES || bytes > MOST_DIRECTORY_BYTES || from === 0xffffffff) break;
    return { from, bytes };
  }
  throw new ZipUnreadable();
}

/** The files of an archive by their names; one that would be larger than its bytes can hold is refused. */
export function readDirectory(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = viewOf(bytes);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + ENTRY_BYTES <= bytes.length;) {
    if (view.getUint32(at, true) !== ENTRY) break;
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) =>
      view.getUint16(at + place, true),
    ) as [number, number, number]; // as many as went in
    const entry: ZipEntry = {
      name: readName(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)),
      isDeflated: method === 8,
      compressedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    const isEncrypted = (flags & 1) === 1;
    if (
      isEncrypted ||
      (method !== 0 && method !== 8) ||
      entry.size > entry.compressedSize * MOST_RATIO + MOST_RATIO
    )
      throw new ZipUnreadable();
    entries.set(entry.name, entry);
    at += ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/** How many bytes stand between the beginning of a local header and the data of its file. */
export function measureLocalHeader(header: Uint8Array): number {
  const view = viewOf(header);
  if (header.length < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL) throw new ZipUnreadable();
  return LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/** The names of the parts of a workbook are ASCII. */
function readName(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 1_000)).replace(/^\//, '');
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
