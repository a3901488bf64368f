import type { BodyReader } from '../platform/read-body.ts';
import { createTurns } from '../platform/turns.ts';

/** The platform sends up to 3 MB; anything larger is not from it. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
const OF_ONE_WORKSPACE = { atOnce: 8, mostWaiting: 200 };
/** Fewer than the places of a workspace, so that one sender leaves some to the others. */
const OF_ONE_ADDRESS = { atOnce: 4, mostWaiting: 100 };
const WITHIN_MS = 20_000;
const BYTES_PER_SECOND = 64 * 1024;
/** A sender may begin slowly. */
const FREE_MS = 1_000;
const LOOKS_EVERY_MS = 250;

type Sender = { slug: string; address: string | null };

/**
 * Before the whole body is there nobody has proved who they are: only so many large ones of one workspace, and fewer of one
 * network address, are read at a time, and none may keep its place by sending slowly. The platform sends in a moment, and
 * again when it is refused.
 */
export function createLargeReader() {
  const workspaceTurns = createTurns(OF_ONE_WORKSPACE);
  const addressTurns = createTurns(OF_ONE_ADDRESS);
  return async (body: BodyReader, { slug, address }: Sender): Promise<boolean> => {
    const leaveAddress = await addressTurns.take(`${slug} ${address}`);
    try {
      const leaveWorkspace = await workspaceTurns.take(slug);
      const stopWatching = watchPace(body);
      try {
        return await body.readUpTo(MAX_BODY_BYTES, { isWatched: true });
      } finally {
        stopWatching();
        leaveWorkspace();
      }
    } finally {
      leaveAddress();
    }
  };
}

function watchPace(body: BodyReader): () => void {
  const begun = performance.now();
  const before = body.received();
  const timer = setInterval(() => {
    const ms = performance.now() - begun;
    const due = ((ms - FREE_MS) / 1_000) * BYTES_PER_SECOND;
    if (ms > WITHIN_MS || body.received() - before < due) body.giveUp();
  }, LOOKS_EVERY_MS);
  return () => clearInterval(timer);
}
