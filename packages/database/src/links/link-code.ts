import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CountedLink } from '@app/domain/links/counted-link';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 11;
const SIGNATURE_LENGTH = 9;

/** The name of a link: too many to be guessed. */
export function newLinkCode(): string {
  return write(randomBytes(16), CODE_LENGTH);
}

export function newLinkKey(): string {
  return randomBytes(16).toString('base64url');
}

/** What stands behind `/l/` for one recipient: the link, their place in the run (base 36), and a signature of both. */
export function personalCode({ code, key }: Pick<CountedLink, 'code' | 'key'>, seq: number): string {
  const place = seq.toString(36);
  return `${code}${place}-${signatureOf(key, code, place)}`;
}

/** As it leaves to one recipient. */
export function writeLink(link: CountedLink, seq: number): string {
  const code = personalCode(link, seq);
  return link.isSuffix ? code : `${link.base}${code}`;
}

/** The parts of a code, unchecked; null for what never was one. */
export function splitCode(text: string): { code: string; place: string; signature: string } | null {
  const parts = /^([0-9A-Za-z]{11})([0-9a-z]{1,6})-([0-9A-Za-z]{9})$/.exec(text);
  return parts && { code: parts[1]!, place: parts[2]!, signature: parts[3]! };
}

export function isSignedBy(
  key: string,
  { code, place, signature }: NonNullable<ReturnType<typeof splitCode>>,
) {
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(key, code, place)));
}

function signatureOf(key: string, code: string, place: string): string {
  return write(createHmac('sha256', key).update(`${code}/${place}`).digest(), SIGNATURE_LENGTH);
}

/** Letters that are not mistaken for each other, one of each byte. */
function write(bytes: Uint8Array, length: number): string {
  return Array.from(bytes.subarray(0, length), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
