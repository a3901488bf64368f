import { KEY_START, REQUESTS_PER_MINUTE } from '@app/domain/api-keys/api-key-rules';
import { bringsSession } from '../auth/cookie-names.ts';
import { readNamedWorkspace } from '../auth/sessions/named-workspace.ts';
import type { Clock } from '../platform/clock.ts';
import { createAttemptLimit } from '../platform/http-edge/attempt-limit.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { Session } from '../platform/request-context.ts';
import type { ReadKey } from './read-key.ts';

const PACE = { max: REQUESTS_PER_MINUTE, windowMs: 60_000 };
/** Sign-in and the typed client of the web are no part of what programs are promised. */
const FOR_PEOPLE_ONLY = /^\/api\/(auth|rpc)\//;

/** What the door says: nobody came with a key, somebody did, or a refusal. */
export type AtTheDoor =
  | { outcome: 'no-key' }
  | { outcome: 'known'; session: Session; headers: Headers }
  | { outcome: 'refused'; response: Response };

/** Asked before every handler below `/api`. It counts what each key asks for, in this process. */
export type KeyDoor = (request: Request, ipAddress: string | null) => Promise<AtTheDoor>;

export function createKeyDoor(readKey: ReadKey, clock: Clock): KeyDoor {
  const pace = createAttemptLimit(PACE, clock);
  return async (request, ipAddress) => {
    const key = readBearer(request);
    if (key === null) return { outcome: 'no-key' };
    const refused = (response: Response): AtTheDoor => ({ outcome: 'refused', response });
    // One request has one caller: a browser that adds its cookie does not decide whose it is.
    if (bringsSession(request.headers.get('cookie'))) return refused(refuse('api_key_with_session'));
    const found = await readKey(key, ipAddress);
    if (typeof found === 'string')
      return refused(refuse(found, { headers: { 'www-authenticate': 'Bearer' } }));
    // A key is of one workspace, and there is no other for it.
    const named = readNamedWorkspace(request);
    if (named !== null && named.toLowerCase() !== found.workspaceId)
      return refused(refuse('workspace_not_found'));
    const attempt = pace.begin(`${found.workspaceId}/${found.id}`);
    const headers = tellPace(attempt);
    if (!attempt.isAllowed) {
      headers.set('retry-after', String(attempt.retryAfterSeconds));
      return refused(refuse('too_many_requests', { headers: Object.fromEntries(headers) }));
    }
    if (FOR_PEOPLE_ONLY.test(new URL(request.url).pathname))
      return refused(refuse('api_key_not_accepted', { headers: Object.fromEntries(headers) }));
    return { outcome: 'known', session: found, headers };
  };
}

/** Who calls, by key or by session, however often it is asked: for what lasts longer than a request. */
export function readWhoCalls(
  readSession: (request: Request) => Promise<Session | null>,
  readKey: ReadKey,
): (request: Request, ipAddress: string | null) => Promise<Session | null> {
  return async (request, ipAddress) => {
    const key = readBearer(request);
    if (key === null) return readSession(request);
    const found = await readKey(key, ipAddress);
    return typeof found === 'string' ? null : found;
  };
}

/** The key that a request brings; null where it is no key of ours and a session speaks for the caller. */
function readBearer(request: Request): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (token === undefined) return null;
  // A proxy in front may have tokens of its own for people who are signed in.
  return token.startsWith(KEY_START) || !bringsSession(request.headers.get('cookie')) ? token : null;
}

/** As draft-ietf-httpapi-ratelimit-headers-10 writes it. */
function tellPace(attempt: { attemptsLeft: number; secondsLeft: number }): Headers {
  return new Headers({
    'ratelimit-policy': `"key";q=${PACE.max};w=${PACE.windowMs / 1000}`,
    ratelimit: `"key";r=${attempt.attemptsLeft};t=${attempt.secondsLeft}`,
  });
}
