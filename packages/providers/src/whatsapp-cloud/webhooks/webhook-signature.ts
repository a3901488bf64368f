import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { NamedValues } from '@app/domain/channels/webhook-reader';

/**
 * Whether `X-Hub-Signature-256` belongs to exactly these bytes. The body must not have been parsed and written again:
 * the platform escapes slashes and non-ASCII letters in its own way.
 */
export function isSignedBy(
  appSecret: string,
  rawBody: Uint8Array,
  signatureHeader: string | null | undefined,
): boolean {
  if (appSecret === '' || signatureHeader === null || signatureHeader === undefined) return false;
  const match = /^sha256=([0-9a-f]{64})$/i.exec(signatureHeader.trim());
  if (match?.[1] === undefined) return false;
  const expected = createHmac('sha256', appSecret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(match[1], 'hex'));
}

/** The header value for a body: `sha256=` and lower-case hex. */
export function signWebhook(appSecret: string, rawBody: Uint8Array): string {
  return `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`;
}

/** The text to answer a subscription handshake with (status 200, plain text), or null when it must be refused with 403. */
export function answerHandshake(query: NamedValues, verifyToken: string): string | null {
  const challenge = query.get('hub.challenge');
  const token = query.get('hub.verify_token');
  if (query.get('hub.mode') !== 'subscribe' || challenge === null || token === null || verifyToken === '')
    return null;
  return timingSafeEqual(digest(token), digest(verifyToken)) ? challenge : null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
