import { networkOf } from '@app/domain/auth/network-of';
import { createLargeBodies } from '../platform/http-edge/large-bodies.ts';
import type { BodyReader } from '../platform/http-edge/read-body.ts';

/** The platform sends up to 3 MB; anything larger is not from it. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const LARGE_WEBHOOKS = {
  // Of one workspace, and of these the share of one network that sends.
  atOnce: 16,
  mostWaiting: 200,
  ofOne: { atOnce: 4, mostWaiting: 100 },
  longestWaitMs: 10_000,
  /** What a slow line brings: 3 MB take a minute and a half, and no body takes longer. */
  pace: { bytesPerSecond: 32 * 1024, patienceMs: 5_000 },
  paceOfSlowest: { bytesPerSecond: 512 * 1024, patienceMs: 500 },
};

type Sender = { slug: string; address: string | null };

/**
 * Before the whole body is there nobody has proved who they are: only so many large ones of one workspace, and fewer of one
 * network, are read at a time. The platform sends again when it is refused.
 */
export function createLargeReader() {
  const inPlace = createLargeBodies(LARGE_WEBHOOKS);
  return async (body: BodyReader, { slug, address }: Sender): Promise<boolean> => {
    if (body.declared !== null && body.declared > MAX_BODY_BYTES) return false;
    return inPlace(body, { key: slug, sharer: networkOf(address) }, (readWhole) => readWhole(MAX_BODY_BYTES));
  };
}
