import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { KEY_START } from '@app/domain/api-keys/api-key-rules';
import type { SecretBox } from '../platform/request-context.ts';

/** What is shown of a key, a secret of 192 bits, and a mark of ours: what does not bear it costs no query. */
const FORM = /^(wmp_[0-9a-f]{12})_([0-9a-f]{48})([0-9A-Za-z]{8})$/;

export type NewKey = { secret: string; prefix: string; hash: Buffer };

/** A new key. The secret is told once; the hash is all that is kept of it. */
export function makeKey(secrets: Pick<SecretBox, 'fingerprint'>): NewKey {
  const prefix = `${KEY_START}${randomBytes(6).toString('hex')}`;
  const random = randomBytes(24).toString('hex');
  const secret = `${prefix}_${random}${markOf(secrets, `${prefix}_${random}`)}`;
  return { secret, prefix, hash: hashKey(secret) };
}

/** The part by which a key is found; null for what we did not make. */
export function readPrefix(secrets: Pick<SecretBox, 'fingerprint'>, key: string): string | null {
  const [, prefix = '', random = '', mark = ''] = FORM.exec(key) ?? [];
  if (prefix === '') return null;
  const expected = markOf(secrets, `${prefix}_${random}`);
  return timingSafeEqual(Buffer.from(mark), Buffer.from(expected)) ? prefix : null;
}

/** Takes the same time whichever part is wrong. */
export function isSameKey(key: string, hash: Buffer): boolean {
  return timingSafeEqual(hashKey(key), hash);
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function markOf({ fingerprint }: Pick<SecretBox, 'fingerprint'>, text: string): string {
  return fingerprint(`api key ${text}`)
    .replaceAll(/[^0-9A-Za-z]/g, '0')
    .slice(0, 8);
}
