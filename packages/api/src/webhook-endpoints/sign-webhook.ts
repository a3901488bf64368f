import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

/** A secret as Standard Webhooks writes it: `whsec_` and base64 of random bytes. https://github.com/standard-webhooks/standard-webhooks */
export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type SignedParts = { id: string; at: Date; body: string };

/** The headers of one attempt. Of several secrets each signs, so that a receiver may know either of them during a rotation. */
export function webhookHeaders(
  secrets: readonly string[],
  { id, at, body }: SignedParts,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature' | 'content-type', string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
    'content-type': 'application/json',
  };
}
