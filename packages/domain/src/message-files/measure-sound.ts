/** How long a sound or video lasts and, of a voice message, how loud it is over its length (0 to 100); null for what its bytes do not say. */
export type MeasuredSound = { durationMs: number | null; waveform: number[] | null };
export type MeasuredVideo = MeasuredSound & { width: number | null; height: number | null };

const NOTHING: MeasuredVideo = { durationMs: null, waveform: null, width: null, height: null };
const BARS = 64;
const MOST_PARTS = 200_000;
/** Nobody sends a longer one; a figure above is a lie of the file. */
const LONGEST_MS = 24 * 3_600_000;

/** Reads it from the structure of the file, without unpacking it; never throws. */
export function measureSound(bytes: Uint8Array, mimeType: string): MeasuredVideo {
  const measured = measure(bytes, mimeType);
  const { durationMs } = measured;
  const isLikely = durationMs !== null && durationMs > 0 && durationMs <= LONGEST_MS;
  return { ...measured, durationMs: isLikely ? Math.round(durationMs) : null };
}

function measure(bytes: Uint8Array, mimeType: string): MeasuredVideo {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (mimeType) {
    case 'audio/ogg':
      return { ...NOTHING, ...measureOgg(bytes, view) };
    case 'audio/amr':
      return { ...NOTHING, durationMs: measureAmr(bytes) };
    case 'audio/aac':
      return { ...NOTHING, durationMs: measureAac(bytes) };
    case 'audio/mp4':
    case 'video/mp4':
    case 'video/3gpp':
      return { ...NOTHING, ...measureBoxes(bytes, view) };
    default:
      return NOTHING;
  }
}

/** https://www.rfc-editor.org/rfc/rfc7845: 48,000 samples a second, but for what is skipped at the beginning. */
const OPUS_RATE = 48_000;

function measureOgg(bytes: Uint8Array, view: DataView): MeasuredSound {
  let samples = 0;
  let skipped = 0;
  const sizes: number[] = [];
  let at = 0;
  for (let page = 0; at + 27 <= bytes.length && page < MOST_PARTS; page += 1) {
    if (view.getUint32(at) !== 0x4f676753) break; // OggS
    const segments = bytes[at + 26] ?? 0;
    const content = at + 27 + segments;
    if (content > bytes.length) break;
    if (page === 0) {
      const isOpus = content + 12 <= bytes.length && view.getUint32(content) === 0x4f707573; // Opus
      if (!isOpus) return { durationMs: null, waveform: null };
      skipped = view.getUint16(content + 10, true);
    }
    let length = 0;
    let packet = 0;
    for (let segment = 0; segment < segments; segment += 1) {
      const lacing = bytes[at + 27 + segment] ?? 0;
      length += lacing;
      packet += lacing;
      if (lacing === 255) continue;
      // The first two pages hold what the sound is, and its labels.
      if (page > 1) sizes.push(packet);
      packet = 0;
    }
    const position = Number(view.getBigInt64(at + 6, true));
    if (position > samples) samples = position;
    at = content + length;
  }
  const durationMs = samples > skipped ? ((samples - skipped) / OPUS_RATE) * 1000 : null;
  return { durationMs, waveform: computeBars(sizes) };
}

/** Silence packs small: of a voice the size of its packets follows how loud it is. */
function computeBars(sizes: readonly number[]): number[] | null {
  if (sizes.length < BARS) return null;
  const bars = Array.from({ length: BARS }, (_, bar) => {
    const [from, to] = [bar, bar + 1].map((edge) => Math.floor((edge * sizes.length) / BARS));
    const part = sizes.slice(from, to);
    return part.reduce((sum, size) => sum + size, 0) / part.length;
  });
  const [least, most] = bars.reduce(([low, high], bar) => [Math.min(low, bar), Math.max(high, bar)], [
    Infinity,
    0,
  ] as [number, number]);
  return most === least ? null : bars.map((bar) => Math.round(((bar - least) / (most - least)) * 100));
}

/** Bytes of a frame by its kind, with its head; each lasts 20 ms. */
const AMR_FRAMES = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1];
const AMR_WIDE_FRAMES = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1];

function measureAmr(bytes: Uint8Array): number {
  const isWide = bytes[5] === 0x2d; // #!AMR-WB
  const frames = isWide ? AMR_WIDE_FRAMES : AMR_FRAMES;
  let count = 0;
  for (let at = isWide ? 9 : 6; at < bytes.length; at += frames[((bytes[at] ?? 0) >> 3) & 15] ?? 1)
    count += 1;
  return count * 20;
}

const AAC_RATES = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8, 7.35];

function measureAac(bytes: Uint8Array): number | null {
  let milliseconds = 0;
  for (let at = 0; at + 7 <= bytes.length;) {
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at, at + 6);
    const rate = AAC_RATES[(third >> 2) & 15];
    const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
    if (first !== 0xff || (second & 0xf6) !== 0xf0 || rate === undefined || length < 7) break;
    milliseconds += 1_024 / rate;
    at += length;
  }
  return milliseconds > 0 ? milliseconds : null;
}

/** Boxes of ISO 14496-12: how long stands in `mvhd`, how large in the `tkhd` of the video. */
function measureBoxes(bytes: Uint8Array, view: DataView): MeasuredVideo {
  const found: MeasuredVideo = { ...NOTHING };
  let parts = 0;
  const walk = (from: number, to: number, depth: number): void => {
    for (let at = from; at + 8 <= to && parts < MOST_PARTS;) {
      parts += 1;
      const short = view.getUint32(at);
      const isLong = short === 1 && at + 16 <= to;
      const length = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? to - at : short;
      if (length < 8 || at + length > to) return;
      const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      const [content, end] = [at + (isLong ? 16 : 8), at + length];
      if ((type === 'moov' || type === 'trak') && depth < 4) walk(content, end, depth + 1);
      else if (type === 'mvhd') found.durationMs = readLength(view, content, end);
      else if (type === 'tkhd') readSize(view, content, end, found);
      at += length;
    }
  };
  walk(0, bytes.length, 0);
  return found;
}

function readLength(view: DataView, at: number, end: number): number | null {
  const isLong = end - at >= 32 && view.getUint8(at) === 1;
  if (end - at < 20) return null;
  const scale = view.getUint32(at + (isLong ? 20 : 12));
  const length = isLong ? Number(view.getBigUint64(at + 24)) : view.getUint32(at + 16);
  return scale === 0 ? null : (length / scale) * 1000;
}

function readSize(view: DataView, at: number, end: number, found: MeasuredVideo): void {
  const isLong = view.getUint8(at) === 1;
  const place = at + (isLong ? 88 : 76);
  if (place + 8 > end) return;
  // A video that was held upright is turned by a matrix: its second field says so.
  const isTurned = view.getInt32(place - 32) !== 0;
  const [width, height] = [view.getUint32(place) >>> 16, view.getUint32(place + 4) >>> 16];
  if (width === 0 || height === 0) return;
  found.width = isTurned ? height : width;
  found.height = isTurned ? width : height;
}
