import type { OutgoingCalls } from '@app/domain/network/outgoing-calls';
import { createPushSigner, sealPush, topicOf, type BrowserKeys } from './seal-push.ts';

/** So long a service waits for a browser that is not there. */
const USEFUL_SECONDS = 12 * 3_600;

/** The service cannot take it now, or cannot be reached: later it may. */
export class PushServiceAway extends Error {
  override name = 'PushServiceAway';
}

export type PushOutcome = 'sent' | 'gone' | 'refused';
export type PushGate = {
  publicKey: string;
  /** `gone`: the browser is not there any more. Rejects where a later attempt may go well. */
  send(
    browser: BrowserKeys & { endpoint: string },
    message: { text: string; about: string; now: Date },
  ): Promise<PushOutcome>;
};

/** Pushes to browsers. The address comes from a browser, so it may be anything. */
export function createPushGate({
  seed,
  contact,
  calls,
}: {
  seed: string;
  contact: string;
  calls: OutgoingCalls;
}): PushGate {
  const signer = createPushSigner(seed, contact);
  return {
    publicKey: signer.publicKey,
    async send({ endpoint, ...keys }, { text, about, now }) {
      const body = sealOrNull(text, keys);
      if (!body || calls.checkAddress(endpoint)) return 'refused';
      const result = await calls.call({
        ...{ service: `push:${new URL(endpoint).host}`, method: 'POST', url: endpoint, body },
        // Only the status counts.
        largestResponse: 4_096,
        headers: {
          authorization: signer.authorize(endpoint, now),
          ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
          ...{ ttl: String(USEFUL_SECONDS), urgency: 'normal', topic: topicOf(about) },
        },
      });
      if (result.outcome === 'ok') return 'sent';
      if (result.outcome === 'not_sent' && ['address_refused', 'invalid_request'].includes(result.reason))
        return 'refused';
      if (result.outcome !== 'rejected') throw new PushServiceAway('The push service cannot be reached.');
      const { status } = result.response;
      if (status === 404 || status === 410) return 'gone';
      if (status === 429 || status >= 500) throw new PushServiceAway(`The push service answered ${status}.`);
      return 'refused';
    },
  };
}

/** Null for keys that are none. */
function sealOrNull(text: string, keys: BrowserKeys): Buffer | null {
  try {
    return sealPush(text, keys);
  } catch {
    return null;
  }
}
