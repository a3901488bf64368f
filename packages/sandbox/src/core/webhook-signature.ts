import { createHmac } from 'node:crypto';

/**
 * The body as the platform writes it: non-ASCII as lower-case `\uXXXX` and `/` as `\/`, so that a receiver that
 * serialises again instead of keeping the raw bytes fails its signature check here too.
 */
export function serializeWebhook(payload: unknown): Buffer {
  const escaped = JSON.stringify(payload).replace(/[\u007f-\uffff]|\//g, (character) =>
    character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1');
}

/** Value of `X-Hub-Signature-256` for these exact bytes. */
export function signWebhook(appSecret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}
