import type { Access } from '@app/contracts/endpoint';
import { isReauthenticationRecent } from '@app/domain/auth/reauthentication';
import type { Context, Hono } from 'hono';
import { findMissing, openSignedInContext, sayMissing } from '../guard-access.ts';
import type { RequestContext, Session, SignedInContext } from '../request-context.ts';
import { isSameSession } from './same-session.ts';
import { refuse } from './refuse.ts';
import { createOpenStreams, STREAM_LIMITS, whileOpen } from './open-streams.ts';
import { whileAllowed } from './while-allowed.ts';

/**
 * A route that carries a file or a stream instead of JSON, and is in all else as good as an endpoint of the contract: who
 * may call it, how much it takes, how it refuses.
 */
export type FileRoute = {
  method: 'GET' | 'POST' | 'PATCH';
  /** With parameters as `:name`. */
  path: `/api/${string}`;
  access: Exclude<Access, 'public'>;
  /** Open to people who must set up a second factor before they may do anything else. */
  isForSetUp?: true;
  /** Dangerous: asks for a recent re-authentication, as an endpoint of the contract does. */
  needsReauthentication?: true;
  /** Without it no API key opens the address; what programs are told of it. */
  forKeys?: DescribedFile;
  body?: FileBody;
  /** Stays open for as long as its caller listens, and has places of its own. */
  isLive?: true;
  answer(
    request: Request,
    context: SignedInContext,
    parameter: (name: string) => string,
  ): Response | Promise<Response>;
};

export type DescribedFile = {
  /** As endpoints are called: `contacts.import`. */
  name: string;
  tag: string;
  summary: string;
  /** What goes in and comes out, as media types. */
  takes?: readonly string[];
  gives: readonly string[];
  query?: Record<string, string>;
  /** Those that it cannot do without. */
  headers?: Record<string, string>;
  /** Those that it understands besides. */
  optionalHeaders?: Record<string, string>;
  /** What it says while the work goes on behind the answer (202). */
  givesEarly?: string;
};

export type FileBody = {
  /** Bytes at most; `streamed` for a route that reads piece by piece, keeps none of it in memory and checks the caller first. */
  most: number | 'streamed';
  /** Files come from telephones and hold any bytes; all else is JSON. */
  isFile?: true;
};

type Callers = {
  openContext(c: Context): Promise<RequestContext>;
  /** Whom the request brings by now, looked up anew: a download outlives what was found at the door. */
  readCallerNow(c: Context): Promise<Session | null>;
};

/** The one place where such routes are mounted. */
export function mountFiles(
  app: Hono,
  routes: readonly FileRoute[],
  { openContext, readCallerNow }: Callers,
): void {
  const streams = {
    download: createOpenStreams(STREAM_LIMITS.download),
    live: createOpenStreams(STREAM_LIMITS.live),
  };
  for (const { method, path, access, isForSetUp, needsReauthentication, forKeys, isLive, answer } of routes) {
    app.on(method, path, async (c) => {
      const context = await openContext(c);
      const { session } = context;
      if (!session) return refuse('signed_out');
      if (session.key && !forKeys) return refuse('api_key_not_accepted');
      if (session.mustSetUpTwoFactor && !isForSetUp) return refuse('two_factor_needed');
      const missing = findMissing(access, session);
      if (missing) return refuse('FORBIDDEN', { message: sayMissing(missing) });
      if (needsReauthentication && !isReauthenticationRecent(session.provenAt, context.clock()))
        return refuse('password_needed');
      const signedIn = openSignedInContext(context, session, 'interactive');
      const giveBack = method === 'GET' ? streams[isLive ? 'live' : 'download'].open(session) : () => {};
      if (!giveBack) return refuse('too_many_streams');
      const { raw: request } = c.req;
      const response = await whileOpen(request, giveBack, async () =>
        answer(request, signedIn, (name) => c.req.param(name) ?? ''),
      );
      // What a browser keeps of one workspace answers no request in another.
      response.headers.append('vary', 'x-workspace');
      if (!response.headers.has('content-disposition')) return response;
      return whileAllowed(response, async () => isSameSession(await readCallerNow(c), session));
    });
  }
}
