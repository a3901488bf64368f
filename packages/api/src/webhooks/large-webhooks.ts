import { networkOf } from '@app/domain/auth/network-of';
import type { BodyReader } from '../platform/read-body.ts';
import { createTurns } from '../platform/turns.ts';

/** The platform sends up to 3 MB; anything larger is not from it. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
/** Large bodies of one workspace, and of these the share of one network that sends. */
const LARGE_AT_ONCE = {
  atOnce: 16,
  mostWaiting: 200,
  ofOne: { atOnce: 4, mostWaiting: 100 },
  longestWaitMs: 10_000,
};
/** At this pace 3 MB take six seconds; the platform sends them in a moment. */
const PACE = { bytesPerSecond: 512 * 1024, patienceMs: 2_000 };

type Sender = { slug: string; address: string | null };

/**
 * Before the whole body is there nobody has proved who they are: only so many large ones of one workspace, and fewer of one
 * network, are read at a time, and none may keep its place by sending slowly. The platform sends in a moment, and again
 * when it is refused.
 */
export function createLargeReader() {
  const turns = createTurns(LARGE_AT_ONCE);
  return async (body: BodyReader, { slug, address }: Sender): Promise<boolean> => {
    if (body.declared !== null && body.declared > MAX_BODY_BYTES) return false;
    const giveBack = await turns.take(slug, networkOf(address));
    return body.readUpTo(MAX_BODY_BYTES, PACE).finally(giveBack);
  };
}
