/** https://www.rfc-editor.org/rfc/rfc7845 and https://www.rfc-editor.org/rfc/rfc3533 */
const MOST_SEGMENTS = 255;
/** A page holds so many packets: a second of sound, as recorders write. */
const PACKETS_OF_PAGE = 50;
const SERIAL = 0x6f707573;

/** Packets of Opus as a file of Ogg. `head` is the description that begins with `OpusHead`. */
export function writeOgg(head: Uint8Array, packets: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const skipped = head.length >= 12 ? head[10]! | (head[11]! << 8) : 0;
  const pages = [
    writePage([describeAsMono(head)], { flags: 2, position: 0, page: 0 }),
    writePage([TAGS], { flags: 0, position: 0, page: 1 }),
  ];
  let samples = 0;
  for (let at = 0; at < packets.length;) {
    const taken: Uint8Array[] = [];
    let segments = 0;
    while (at < packets.length && taken.length < PACKETS_OF_PAGE) {
      const packet = packets[at]!; // within the length
      const needed = Math.floor(packet.length / 255) + 1;
      if (segments + needed > MOST_SEGMENTS) break;
      segments += needed;
      samples += samplesOf(packet);
      taken.push(packet);
      at += 1;
    }
    // No packet of Opus is that long.
    if (taken.length === 0) {
      at += 1;
      continue;
    }
    const flags = at >= packets.length ? 4 : 0;
    pages.push(writePage(taken, { flags, position: Math.max(samples, skipped), page: pages.length }));
  }
  return join(pages);
}

/** One channel: a decoder mixes what was recorded in two. */
function describeAsMono(head: Uint8Array): Uint8Array {
  const mono = Uint8Array.from(head.subarray(0, 19));
  mono[9] = 1;
  mono[18] = 0; // no table of channels
  return mono;
}

const TAGS = Uint8Array.from([...'OpusTags'].map((sign) => sign.charCodeAt(0)).concat(Array(8).fill(0)));

/** Of a packet at 48,000 a second; its first byte says the length of a frame and how many there are. */
function samplesOf(packet: Uint8Array): number {
  const first = packet[0] ?? 0;
  const config = first >> 3;
  const frame =
    config < 12
      ? [480, 960, 1920, 2880][config & 3]!
      : config < 16
        ? [480, 960][config & 1]!
        : [120, 240, 480, 960][config & 3]!;
  const code = first & 3;
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 0x3f : 2;
  return frame * frames;
}

function writePage(
  packets: readonly Uint8Array[],
  { flags, position, page }: { flags: number; position: number; page: number },
): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const content = join([Uint8Array.from(lacing), ...packets]);
  const bytes = new Uint8Array(27 + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x4f676753); // OggS
  bytes[5] = flags;
  view.setBigUint64(6, BigInt(position), true);
  view.setUint32(14, SERIAL, true);
  view.setUint32(18, page, true);
  bytes[26] = lacing.length;
  bytes.set(content, 27);
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value & 0x80000000 ? 0x04c11db7 : 0);
  return value >>> 0;
});

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = ((sum << 8) ^ TABLE[((sum >>> 24) ^ byte) & 0xff]!) >>> 0;
  return sum >>> 0;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
