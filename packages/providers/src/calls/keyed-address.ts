import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Our address with a key that follows from a secret of the connection. A vendor that cannot sign with a secret of ours is known by it, and a webhook that
 * was entered with credentials of before is told apart from one of now.
 */
export const keyedAddress = (secret: string, url: string): string => `${url}?key=${keyOf(secret)}`;

/** Whether a call came to the address that `keyedAddress` made of this secret. */
export function isKeyedAddress(secret: string, url: string): boolean {
  const given = Buffer.from(URL.parse(url)?.searchParams.get('key') ?? '');
  const expected = Buffer.from(keyOf(secret));
  return secret !== '' && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether this is our address, with whatever key. */
export const isAddressOfOurs = (address: string, url: string): boolean =>
  address === url || address.startsWith(`${url}?`);

const keyOf = (secret: string): string =>
  createHmac('sha256', secret).update('webhook address').digest('hex');
