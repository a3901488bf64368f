import { createHash, randomUUID } from 'node:crypto';
import { formatMessageTag, parseMessageTag } from '@app/domain/conversations/message-tag';
import { formatDeliveryTag, parseDeliveryTag } from '@app/domain/delivery/delivery-tag';

/**
 * The 122 free bits of a UUID of version 8 (RFC 9562, 5.8), from the left: 1 says whether the message is a single one, 53 its number or that of
 * its run, 31 the place in the run, 15 the attempt, 22 the salt of the origin. Put together as numbers below 2^53, part by part:
 * whole numbers of that size cost ten times as much, and each message has an id.
 */
const SALT = 2 ** 22;
const ATTEMPTS = 2 ** 15;
/** Numbers beyond 31 bits are written far more slowly: the last 48 bits are written in halves. */
const HALF = 2 ** 24;

/**
 * The id under which a message is sent: a UUID that holds the tag, because the platform echoes nothing else. The same tag and origin make the same id
 * in every process, so a repeated call is harmless: the platform delivers an id once. The origin tells the message from one that had the same
 * number in another database, such as before a backup was restored. A tag of another form gets a random id.
 */
export function messageIdOf(tag: string, origin: string): string {
  const parts = readTag(tag);
  if (!parts) return randomUUID();
  const { isSingle, number, seq, attempt } = parts;
  const first = (isSingle ? 2 ** 47 : 0) + Math.floor(number / 64);
  const second = (number % 64) * 64 + (seq >>> 25);
  const third = (seq >>> 11) & 0x3fff;
  const last = ((seq & 0x7ff) * ATTEMPTS + attempt) * SALT + saltOf(origin);
  const node = hex(Math.floor(last / HALF), 6) + hex(last % HALF, 6);
  return `${hex(Math.floor(first / 2 ** 16), 8)}-${hex(first % 2 ** 16, 4)}-8${hex(second, 3)}-${hex(0x8000 + third, 4)}-${node}`;
}

/** The messages of a campaign have one origin: its salt is worked out once, not for each of them. */
let lastOrigin: { origin: string; salt: number } | undefined;

function saltOf(origin: string): number {
  if (lastOrigin?.origin === origin) return lastOrigin.salt;
  const digest = createHash('sha256').update(origin).digest();
  lastOrigin = { origin, salt: digest.readUIntBE(5, 3) % SALT };
  return lastOrigin.salt;
}

/** The tag in an id of ours; null for any other id. */
export function tagOf(messageId: string): string | null {
  const parts = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{12})$/i.exec(
    messageId,
  );
  if (!parts) return null;
  const [, start, next, ...others] = parts;
  const first = parseInt(`${start}${next}`, 16);
  const [second, third, last] = others.map((part) => parseInt(part, 16)) as [number, number, number]; // three groups
  const number = (first % 2 ** 47) * 64 + (second >>> 6);
  const beforeSalt = Math.floor(last / SALT);
  const attempt = beforeSalt % ATTEMPTS;
  const seq = (second & 0x3f) * 2 ** 25 + (third & 0x3fff) * 2 ** 11 + Math.floor(beforeSalt / ATTEMPTS);
  const tag =
    first < 2 ** 47
      ? formatDeliveryTag({ runNo: number, seq, attempt })
      : formatMessageTag({ no: number, attempt });
  return readTag(tag) ? tag : null;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** An id for an event or a request, which nobody asks for again. */
export const newRequestId = (): string => randomUUID();

function readTag(tag: string) {
  const run = parseDeliveryTag(tag);
  if (run) return { isSingle: false, number: run.runNo, seq: run.seq, attempt: run.attempt };
  const single = parseMessageTag(tag);
  return single && { isSingle: true, number: single.no, seq: 0, attempt: single.attempt };
}
