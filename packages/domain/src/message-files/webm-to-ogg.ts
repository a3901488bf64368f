import { writeOgg } from './write-ogg.ts';

/** https://www.matroska.org/technical/elements.html */
const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const CLUSTER = 0x1f43b675;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
/** What holds elements that matter; of all others the content is stepped over. */
const OPENED: ReadonlySet<number> = new Set([SEGMENT, TRACKS, TRACK_ENTRY, CLUSTER, BLOCK_GROUP]);
const MOST_PARTS = 500_000;

type Track = { number: number; codec: string; head: Uint8Array | null };
type Found = { tracks: Track[]; packets: Uint8Array[] };

/** Whether a file is of the family of WebM and Matroska. */
export function isWebm(bytes: Uint8Array): boolean {
  return bytes.length > 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === EBML;
}

/**
 * A recording of a browser as the voice note that platforms take: the same packets of Opus, in Ogg in place of WebM, announced as mono. Null when it
 * holds anything else than one sound of Opus.
 */
export function webmToOgg(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const found: Found = { tracks: [], packets: [] };
  if (!isWebm(bytes) || !readElements(bytes, found)) return null;
  const [track, ...others] = found.tracks;
  const isOpus = track?.codec === 'A_OPUS' && track.head !== null && others.length === 0;
  if (!isOpus || found.packets.length === 0 || !track.head) return null;
  return writeOgg(track.head, found.packets);
}

/** Goes through all elements in their order; those of unknown length, as live recordings have, end where their content does. False for what is none. */
function readElements(bytes: Uint8Array, found: Found): boolean {
  let at = 0;
  for (let parts = 0; at < bytes.length; parts += 1) {
    const id = readNumber(bytes, at, true);
    const length = id && readNumber(bytes, id.end, false);
    // The last element of a recording that broke off is left out.
    if (!id || !length) return parts > 1;
    if (parts > MOST_PARTS) return false;
    const start = length.end;
    if (OPENED.has(id.value)) {
      if (id.value === TRACK_ENTRY) found.tracks.push({ number: 0, codec: '', head: null });
      at = start;
      continue;
    }
    if (length.isUnknown) return false;
    const end = start + length.value;
    if (end > bytes.length) return parts > 1;
    readElement(id.value, bytes.subarray(start, end), found);
    at = end;
  }
  return true;
}

function readElement(id: number, content: Uint8Array, { tracks, packets }: Found): void {
  const track = tracks.at(-1);
  switch (id) {
    case TRACK_NUMBER:
      if (track) track.number = content.reduce((sum, byte) => sum * 256 + byte, 0);
      return;
    case CODEC_ID:
      if (track) track.codec = String.fromCharCode(...content.subarray(0, 32)).replace(/\0+$/, '');
      return;
    case CODEC_PRIVATE:
      if (track) track.head = content;
      return;
    case SIMPLE_BLOCK:
    case BLOCK: {
      const number = readNumber(content, 0, false);
      // Number of the track, two bytes of time, flags; recorders put one packet into a block.
      const flags = content[number ? number.end + 2 : 0] ?? 0;
      if (number?.value === tracks[0]?.number && number && (flags & 0x06) === 0)
        packets.push(content.subarray(number.end + 3));
    }
  }
}

type ReadNumber = { value: number; end: number; isUnknown: boolean };

/** Numbers say their own length by their first bits, which belong to the value of an id. */
function readNumber(bytes: Uint8Array, at: number, isId: boolean): ReadNumber | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (length > (isId ? 4 : 8) || at + length > bytes.length) return null;
  const mark = 0x80 >> (length - 1);
  let value = isId ? first : first & (mark - 1);
  let isUnknown = (first & (mark - 1)) === mark - 1;
  for (let place = 1; place < length; place += 1) {
    const byte = bytes[at + place]!; // within the length
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value, end: at + length, isUnknown: !isId && isUnknown };
}
