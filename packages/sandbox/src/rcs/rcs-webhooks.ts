import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';

/** `X-Goog-Signature` for the decoded bytes of `message.data`, with the client token as the key. */
export function signDelivery(clientToken: string, body: Buffer): Record<string, string> {
  const data = textOf(objectOf(objectOf(parseJson(body.toString('latin1')))['message'])['data']) ?? '';
  const signature = createHmac('sha512', clientToken).update(Buffer.from(data, 'base64')).digest('base64');
  return { 'x-goog-signature': signature };
}

/** What the platform posts: the payload as base64 in an envelope. `messageId` names the delivery, the same in each copy. */
export function wrapPayload(
  payload: JsonObject,
  agentId: string,
  attributes: Record<string, string>,
): JsonObject {
  const id = String(randomInt(1e12, 2 ** 48 - 1));
  const at = new Date().toISOString();
  return {
    message: {
      data: Buffer.from(JSON.stringify(payload)).toString('base64'),
      attributes: {
        product: 'RBM',
        business_id: `${agentId}@rbm.goog`,
        project_number: '410022003300',
        ...attributes,
      },
      ...{ messageId: id, message_id: id, publishTime: at, publish_time: at },
    },
    subscription: 'projects/sandbox-partner/subscriptions/rbm-agent-sub',
  };
}

/** The handshake: the address has to answer the secret, as text and nothing else. */
export async function shakeHands(
  url: string,
  clientToken: string,
): Promise<{ ok: boolean; status: number | null; error: string | null }> {
  const secret = String(randomInt(100_000, 1_000_000));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientToken, secret }),
      signal: AbortSignal.timeout(5_000),
      redirect: 'manual',
    });
    const ok = (await response.text()) === secret && response.status === 200;
    return { ok, status: response.status, error: ok ? null : 'the secret was not answered' };
  } catch (error) {
    return { ok: false, status: null, error: error instanceof Error ? error.message : String(error) };
  }
}

export const newEventId = (): string => `MxE${randomUUID()}`;
