import { fetch as send, type Agent } from 'undici';
import { createGuardedAgent } from '../guarded-agent.ts';
import { createPushSigner, sealPush, topicOf, type BrowserKeys } from './seal-push.ts';

const PATIENCE_MS = 10_000;
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
  close(): Promise<void>;
};

/**
 * Pushes to browsers. The address comes from a browser, so it may be anything: connections go to the open network alone, no redirect is followed and
 * nothing of the answer is read.
 */
export function createPushGate({
  seed,
  contact,
  agent = createGuardedAgent(),
}: {
  seed: string;
  contact: string;
  agent?: Agent;
}): PushGate {
  const signer = createPushSigner(seed, contact);
  return {
    publicKey: signer.publicKey,
    async send({ endpoint, ...keys }, { text, about, now }) {
      const body = sealOrNull(text, keys);
      if (!body) return 'refused';
      const answer = await send(endpoint, {
        ...{ method: 'POST', dispatcher: agent, redirect: 'manual' },
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          authorization: signer.authorize(endpoint, now),
          ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
          ...{ ttl: String(USEFUL_SECONDS), urgency: 'normal', topic: topicOf(about) },
        },
        body,
      }).catch((error: unknown) => {
        if (isRefusedAddress(error)) return null;
        throw new PushServiceAway('The push service cannot be reached.');
      });
      if (!answer) return 'refused';
      await answer.body?.cancel();
      if (answer.ok) return 'sent';
      if (answer.status === 404 || answer.status === 410) return 'gone';
      if (answer.status === 429 || answer.status >= 500)
        throw new PushServiceAway(`The push service answered ${answer.status}.`);
      return 'refused';
    },
    close: () => agent.close(),
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

/** `fetch` wraps what the connection threw. */
function isRefusedAddress(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_ADDRESS_REFUSED';
}
