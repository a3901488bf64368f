import { createPublicKey, type KeyObject } from 'node:crypto';

const NAME = 'sandbox-key-1.';

/** The id of a key holds its public half, so that an agent stays connected when the sandbox starts anew. */
export function keyIdOf(publicKey: string): string {
  return NAME + (createPublicKey(publicKey).export({ format: 'jwk' }).n ?? '');
}

/** The public half of the key with this id; null where it is none of a sandbox. */
export function keyOfId(keyId: string): KeyObject | null {
  if (!keyId.startsWith(NAME)) return null;
  try {
    return createPublicKey({ key: { kty: 'RSA', n: keyId.slice(NAME.length), e: 'AQAB' }, format: 'jwk' });
  } catch {
    return null;
  }
}
