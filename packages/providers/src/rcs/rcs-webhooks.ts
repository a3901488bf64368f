import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson, recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';

/** Text to answer the handshake with, as text and nothing else; null where the client token is not ours. */
export function answerHandshake(clientToken: string, body: Uint8Array): string | null {
  const asked = recordOf(parseJson(Buffer.from(body).toString('utf8')));
  const secret = textOf(asked['secret']);
  const isOurs = clientToken !== '' && isSame(textOf(asked['clientToken']) ?? '', clientToken);
  return isOurs ? secret : null;
}

/** Whether `X-Goog-Signature` belongs to this delivery: it signs the decoded bytes of `message.data`, with the client token as the key. */
export function isSignedBy(clientToken: string, body: Uint8Array, signature: string | null): boolean {
  const data = dataOf(body);
  if (clientToken === '' || signature === null || data === null) return false;
  return isSame(signature.trim(), createHmac('sha512', clientToken).update(data).digest('base64'));
}

/** The payload of a delivery, as parsed; undefined where there is none. */
export function payloadOf(body: Uint8Array): unknown {
  const data = dataOf(body);
  return data === null ? undefined : parseJson(data.toString('utf8'));
}

/** What the envelope says of its payload. */
export function attributesOf(body: Uint8Array): JsonRecord {
  return recordOf(recordOf(envelopeOf(body)['message'])['attributes']);
}

/** Names a delivery without ids: the same for each copy of its payload. */
export function hashOf(body: Uint8Array): string {
  return createHash('sha256')
    .update(dataOf(body) ?? body)
    .digest('base64url');
}

/** An agent is written with and without this ending. */
export const plainAgentId = (agentId: string): string => agentId.replace(/@rbm\.goog$/, '');

function dataOf(body: Uint8Array): Buffer | null {
  const data = textOf(recordOf(envelopeOf(body)['message'])['data']);
  return data === null ? null : Buffer.from(data, 'base64');
}

function envelopeOf(body: Uint8Array): JsonRecord {
  return recordOf(parseJson(Buffer.from(body).toString('utf8')));
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
