import { createHash, randomUUID } from 'node:crypto';
import { formatMessageTag, parseMessageTag } from '@app/domain/conversations/message-tag';
import { formatDeliveryTag, parseDeliveryTag } from '@app/domain/delivery/delivery-tag';

const saltBits = 22n;
const [attemptBits, seqBits, numberBits] = [15n, 31n, 53n] as const;

/**
 * The id under which a message is sent: a UUID that holds the tag, because the platform echoes nothing else. The same tag and origin make the same id
 * in every process, so a repeated call is harmless: the platform delivers an id once. The origin tells the message from one that had the same
 * number in another database, such as before a backup was restored. A tag of another form gets a random id.
 */
export function messageIdOf(tag: string, origin: string): string {
  const parts = readTag(tag);
  if (!parts) return randomUUID();
  let bits = parts.isSingle ? 1n : 0n;
  bits = (bits << numberBits) | BigInt(parts.number);
  bits = (bits << seqBits) | BigInt(parts.seq);
  bits = (bits << attemptBits) | BigInt(parts.attempt);
  return writeUuid((bits << saltBits) | saltOf(origin));
}

/** The messages of a campaign have one origin: its salt is worked out once, not for each of them. */
let last: { origin: string; salt: bigint } | undefined;

function saltOf(origin: string): bigint {
  if (last?.origin === origin) return last.salt;
  const digest = createHash('sha256').update(origin).digest();
  last = { origin, salt: digest.readBigUInt64BE() & ((1n << saltBits) - 1n) };
  return last.salt;
}

/** The tag in an id of ours; null for any other id. */
export function tagOf(messageId: string): string | null {
  const whole = readUuid(messageId);
  if (whole === null) return null;
  let bits = whole >> saltBits;
  const take = (count: bigint) => {
    const taken = Number(bits & ((1n << count) - 1n));
    bits >>= count;
    return taken;
  };
  const [attempt, seq, number] = [take(attemptBits), take(seqBits), take(numberBits)];
  const tag =
    bits === 0n
      ? formatDeliveryTag({ runNo: number, seq, attempt })
      : formatMessageTag({ no: number, attempt });
  return readTag(tag) ? tag : null;
}

/** An id for an event or a request, which nobody asks for again. */
export const newRequestId = (): string => randomUUID();

function readTag(tag: string) {
  const run = parseDeliveryTag(tag);
  if (run) return { isSingle: false, number: run.runNo, seq: run.seq, attempt: run.attempt };
  const single = parseMessageTag(tag);
  return single && { isSingle: true, number: single.no, seq: 0, attempt: single.attempt };
}

/** Of version 8, whose bits are the writer's own (RFC 9562, 5.8). */
function writeUuid(bits: bigint): string {
  const [high, middle, low] = [
    (bits >> 74n) & 0xffff_ffff_ffffn,
    (bits >> 62n) & 0xfffn,
    bits & ((1n << 62n) - 1n),
  ];
  return ((high << 80n) | (8n << 76n) | (middle << 64n) | (2n << 62n) | low)
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function readUuid(text: string): bigint | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text)) return null;
  const all = BigInt(`0x${text.replaceAll('-', '')}`);
  return ((all >> 80n) << 74n) | (((all >> 64n) & 0xfffn) << 62n) | (all & ((1n << 62n) - 1n));
}
