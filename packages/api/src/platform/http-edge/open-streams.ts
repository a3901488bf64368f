import type { Session } from '../request-context.ts';

/** How many answers may be on their way at the same time. */
export type StreamLimits = { perUser: number; perWorkspace: number };

/**
 * Downloads: a page of a chat asks for dozens of pictures at once. Live streams: the tabs of a browser share one, and a person has a few
 * browsers; programs with an API key count as the person who made the key.
 */
export const STREAM_LIMITS = {
  download: { perUser: 40, perWorkspace: 400 },
  live: { perUser: 20, perWorkspace: 2_000 },
} as const satisfies Record<string, StreamLimits>;

export type OpenStreams = {
  /** @returns A function that gives the place back, harmless when called twice; null when all places are taken. */
  open(session: Pick<Session, 'user' | 'workspaceId'>): (() => void) | null;
};

/** Counts the answers of one kind that are on their way, by user and by workspace. */
export function createOpenStreams({ perUser, perWorkspace }: StreamLimits): OpenStreams {
  const counts = new Map<string, number>();
  const add = (key: string, by: number) => {
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return {
    open({ user, workspaceId }) {
      const ofUser = `${workspaceId}/${user.id}`;
      if ((counts.get(ofUser) ?? 0) >= perUser || (counts.get(workspaceId) ?? 0) >= perWorkspace) return null;
      const keys = [ofUser, workspaceId];
      keys.forEach((key) => add(key, 1));
      let isOpen = true;
      return () => {
        if (isOpen) keys.forEach((key) => add(key, -1));
        isOpen = false;
      };
    },
  };
}

/**
 * An answer whose end is heard of: `onEnd` is called once, when its last byte was taken, when it failed, or when its caller went away.
 */
export async function whileOpen(
  { signal }: Pick<Request, 'signal'>,
  onEnd: () => void,
  answer: () => Promise<Response>,
): Promise<Response> {
  const response = await answer().catch((error: unknown) => {
    onEnd();
    throw error;
  });
  const reader = response.body?.getReader();
  if (!reader) {
    onEnd();
    return response;
  }
  const leave = (reason: unknown) => {
    onEnd();
    return reader.cancel(reason).catch(() => {});
  };
  signal.addEventListener('abort', () => void leave(signal.reason), { once: true });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (!done) return controller.enqueue(value);
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          controller.error(error);
        }
      },
      cancel: leave,
    },
    // Nothing is read ahead: what a slow reader has not asked for stays where it is.
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
