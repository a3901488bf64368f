import { findMissingPermission } from '@app/domain/auth/caller';
import { topicAccess } from '@app/domain/live/live-topics';
import type { LiveEvent } from './live-events.ts';
import type { ApiDependencies, Session } from './request-context.ts';
import { isSameSession } from './http-edge/same-session.ts';
import type { FileRoute } from './http-edge/file-routes.ts';

const HEARTBEAT_MS = 15_000;
/** The way of the request itself, and the time for which a change is published after its commit. */
const AGE_MARGIN_MS = 2_000;
/** What may wait for a browser that does not read; more is read anew instead. */
const MOST_UNREAD_BYTES = 1024 * 1024;

export type StreamParts = Pick<ApiDependencies, 'liveEvents'> & {
  /**
   * Asked with each heartbeat and whenever people of the workspace change; `false` ends the stream. Whoever may do other things
   * since opens a new one.
   */
  isStillSignedIn(): Promise<boolean>;
  watcher: StreamWatcher;
};

/** The stream as a route: it lasts while its caller is signed in with the session that opened it. */
export function liveStream({
  readSession,
  watch,
}: {
  readSession(request: Request, ipAddress: string | null): Promise<Session | null>;
  watch(session: Session): StreamWatcher;
}): FileRoute {
  return {
    method: 'GET',
    path: '/api/events',
    access: 'signed-in',
    isLive: true,
    // It carries ids and figures alone, and names for whoever may ask for them.
    isForSetUp: true,
    forKeys: {
      ...{ name: 'events.listen', tag: 'Live events', gives: ['text/event-stream'] },
      summary:
        'What changes in the workspace, as server-sent events with ids and figures; it goes on after the header Last-Event-ID',
    },
    answer: (request, { session, ipAddress, liveEvents }) =>
      streamLiveEvents(request, session, {
        liveEvents,
        isStillSignedIn: async () => isSameSession(await readSession(request, ipAddress), session),
        // A program is nobody who is online.
        watcher: session.key ? unwatched : watch(session),
      }),
  };
}

const encoder = new TextEncoder();
const encoded = new WeakMap<LiveEvent, Uint8Array>();

/** Once for all streams of this process: an event goes to each browser of its workspace. */
function encodeEvent(event: LiveEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const id = event.id === null ? '' : `id: ${event.id}\n`;
  const bytes = encoder.encode(`${id}event: ${event.topic}\ndata: ${JSON.stringify(event.payload)}\n\n`);
  encoded.set(event, bytes);
  return bytes;
}

/** Hears of one stream's life. */
export type StreamWatcher = { onOpen(): void; onBeat(): void; onClose(): void };
const unwatched: StreamWatcher = { onOpen() {}, onBeat() {}, onClose() {} };

/**
 * One server-sent event stream per browser, shared by its tabs where it can be. It resumes after `Last-Event-ID`, or begins
 * with what happened in the last `age` milliseconds, for which the tab has been reading; when the events in between are no
 * longer kept, or this process could not hear them, a `resync` event tells the browser to read everything anew. The stream of
 * a browser that does not read ends behind what waits for it: whoever still lives comes again.
 */
export async function streamLiveEvents(
  request: Request,
  session: Session,
  { liveEvents, isStillSignedIn, watcher }: StreamParts,
): Promise<Response> {
  let stop = () => {};
  const source = {
    async start(controller: ReadableStreamDefaultController<Uint8Array>) {
      let lastSent = 0;
      let isCaughtUp = false;
      let isStopped = false;
      let hasGap = false;
      const waiting: LiveEvent[] = [];
      const end = () => {
        if (isStopped) return;
        stop();
        controller.close();
      };
      const enqueue = (bytes: Uint8Array) => {
        if (isStopped) return;
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) end();
      };
      const write = (text: string) => enqueue(encoder.encode(text));
      const endUnlessSignedIn = async () => {
        // A database that is away for a moment must not sign anybody out.
        if (await isStillSignedIn().catch(() => true)) return;
        end();
      };
      const send = (event: LiveEvent) => {
        if (event.id !== null && event.id <= lastSent) return;
        if (event.id !== null) lastSent = event.id;
        if (!mayHear(session, event)) return;
        if (event.topic === 'users' || event.topic === 'api-keys') void endUnlessSignedIn();
        enqueue(encodeEvent(event));
      };
      // Without an id: who resumes after what was told last misses nothing either.
      const resync = () => write('event: resync\ndata: {}\n\n');
      // Listening begins before the past is read, so that nothing falls between the two.
      const unsubscribe = liveEvents.subscribe(
        session.workspaceId,
        (event) => (isCaughtUp ? send(event) : waiting.push(event)),
        () => (isCaughtUp ? resync() : (hasGap = true)),
      );
      const heartbeat = setInterval(() => {
        write(': still here\n\n');
        watcher.onBeat();
        void endUnlessSignedIn();
      }, HEARTBEAT_MS);
      stop = () => {
        if (isStopped) return;
        isStopped = true;
        watcher.onClose();
        unsubscribe();
        clearInterval(heartbeat);
      };
      watcher.onOpen();
      try {
        write('retry: 1000\n\n');
        await catchUp(request, session, liveEvents, { write, send });
        isCaughtUp = true;
        if (hasGap) resync();
        waiting.forEach(send);
      } catch (error) {
        stop();
        controller.error(error);
      }
    },
    cancel: () => stop(),
  };
  const unread = new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD_BYTES });
  const body = new ReadableStream(source, unread);
  request.signal.addEventListener('abort', () => stop());
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

function mayHear(session: Session, { topic, userIds }: LiveEvent): boolean {
  // A program is nobody who looks, whoever made its key.
  if (userIds && (session.key !== null || !userIds.has(session.user.id))) return false;
  const needed = topic === 'resync' ? undefined : topicAccess[topic];
  return !needed || !(session.mustSetUpTwoFactor || findMissingPermission(session, needed));
}

async function catchUp(
  request: Request,
  { workspaceId }: Session,
  liveEvents: ApiDependencies['liveEvents'],
  { write, send }: { write: (text: string) => void; send: (event: LiveEvent) => void },
): Promise<void> {
  const lastEventId = readWholeNumber(request.headers.get('last-event-id'));
  const age = readWholeNumber(new URL(request.url).searchParams.get('age'));
  const resumed =
    lastEventId === undefined ? undefined : fewEnough(await liveEvents.readSince(workspaceId, lastEventId));
  const newest = resumed ? undefined : await liveEvents.readLastId(workspaceId);
  const missed =
    lastEventId === undefined && age
      ? fewEnough(await liveEvents.readRecent(workspaceId, age + AGE_MARGIN_MS))
      : resumed;
  if (newest !== undefined)
    write(`id: ${newest}\nevent: ${missed === null ? 'resync' : 'ready'}\ndata: {}\n\n`);
  missed?.forEach(send);
}

/** Null for more than a stream begins with: they would end it again and again. */
function fewEnough(events: LiveEvent[] | null): LiveEvent[] | null {
  let size = 0;
  for (const { payload } of events ?? []) size += JSON.stringify(payload).length;
  return size < MOST_UNREAD_BYTES / 4 ? events : null;
}

function readWholeNumber(text: string | null): number | undefined {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
